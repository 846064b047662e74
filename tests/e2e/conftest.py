"""Fixtures of the browser tests: the site, a signed-in page in a language, and no error on any console."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.support.model_server import ModelServer, model_server
from tests.support.people import House
from tests.support.site import ROOT, Site, SiteDatabase, site_database

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SCREENSHOTS = ROOT / "docs" / "screenshots"
DESKTOP = (1280, 800)
PHONE = (390, 844)
PATIENCE = 20_000
"""Milliseconds that a page may take on a busy machine."""
expect.set_options(timeout=PATIENCE)
_numbers = itertools.count(1)

OpenPage = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/e2e/" in str(item.path):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[SiteDatabase]:
    """One database for all sites of this run."""
    with django_db_blocker.unblock(), site_database() as found:
        yield found


@pytest.fixture(scope="session")
def site(database: SiteDatabase, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site without a language model."""
    yield from _running(Site(database, tmp_path_factory.mktemp("site")))


@pytest.fixture(scope="session")
def _scripted(
    database: SiteDatabase, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, ModelServer]]:
    with model_server() as server:
        for running in _running(Site(database, tmp_path_factory.mktemp("site"), model_url=server.base_url)):
            yield running, server


@pytest.fixture
def model(_scripted: tuple[Site, ModelServer]) -> ModelServer:
    """The language model of `site_with_model`; it does what its script says."""
    return _scripted[1]


@pytest.fixture
def site_with_model(_scripted: tuple[Site, ModelServer]) -> Site:
    """A site with a language model behind it."""
    return _scripted[0]


def _running(site: Site) -> Iterator[Site]:
    site.start()
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture
def house(database: SiteDatabase, django_db_blocker: Any) -> House:
    """A tenant for one test."""
    with django_db_blocker.unblock():
        return database.house(f"house{next(_numbers)}-{os.getpid()}", "en")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. A module long: while it runs, no event loop can be run in this thread."""
    assert Path(CHROMIUM).exists(), f"{CHROMIUM} is missing: install chromium, or set CHROMIUM to its path"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser, database: SiteDatabase, django_db_blocker: Any) -> Iterator[OpenPage]:
    """Open a page of a site: in a language, size and colour scheme, signed in unless `who` is None.

    At the end of the test no page may have logged an error, and no policy may have been violated.
    """
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A server that is down on purpose makes the browser complain; our own errors and policy violations do count.
        expected = "ERR_CONNECTION_REFUSED" in message.text or "WebSocket connection to" in message.text
        if (
            message.type == "error"
            and not expected
            and not message.text.startswith("Failed to load resource")
        ):
            trouble.append(message.text)

    def opened(
        site: Site,
        path: str = "/",
        *,
        house: House | None = None,
        who: str = "user",
        language: str = "en",
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        context: BrowserContext | None = None,
        **options: Any,
    ) -> Page:
        if context is None:
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]},
                locale="zh-CN" if language == "zh-hans" else "en-GB",
                timezone_id="Asia/Shanghai" if language == "zh-hans" else "Europe/London",
                color_scheme="dark" if dark else "light",
                **options,
            )
            contexts.append(context)
            cookies = {settings.LANGUAGE_COOKIE_NAME: language}
            if house is not None:
                with django_db_blocker.unblock():
                    cookies[settings.SESSION_COOKIE_NAME] = database.cookie_of(house, who)
            context.add_cookies([{"name": n, "value": v, "url": site.url} for n, v in cookies.items()])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", heard)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(f"{site.url}{path}")
        return page

    yield opened
    for context in contexts:
        with suppress(Exception):  # A context that crashed has said so already.
            context.close()
    assert trouble == []


def say(page: Page, text: str) -> None:
    """Write a message and press Enter."""
    page.get_by_role("textbox", name="Your message").or_(page.get_by_role("textbox", name="您的消息")).fill(
        text
    )
    page.keyboard.press("Enter")


def finished_answers(page: Page) -> Any:
    """The answers on the page that are not being written any more."""
    return page.locator("[data-role=assistant]:not([data-state=streaming])")


def screenshot(page: Page, name: str) -> None:
    """A picture for the README."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
