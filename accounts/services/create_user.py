"""Create a person: the global row, and the address that allauth needs."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.services.checks import clean_email
from memoryhub.common.errors import Conflict, Invalid


def create_user(
    *,
    email: str,
    password: str,
    name: str = "",
    locale: str = "",
    time_zone: str = "UTC",
    staff: bool = False,
) -> User:
    """A person without any membership yet; Invalid for a weak password, Conflict for a known address.

    The address counts as verified: an invitation or an operator vouched for it. Callers check who may do this.
    """
    address = clean_email(email)
    try:
        validate_password(password, User(email=address, name=name))
    except ValidationError as weak:
        raise Invalid("the password is too weak", fields={"password": " ".join(weak.messages)}) from None
    try:
        with transaction.atomic():
            user = User.objects.create_user(
                address,
                password,
                name=name.strip(),
                locale=locale,
                time_zone=time_zone,
                is_platform_staff=staff,
            )
            EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    except IntegrityError:
        raise Conflict("this address has an account already", hint="Sign in instead.") from None
    return user
