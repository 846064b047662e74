// Keeps the newest words in view while the reader is at the end, and leaves a reader who looks at older ones alone.

const NEAR = 80;

export class Scroller {
  /** @param {HTMLElement} view @param {HTMLElement} button leads to the end when something new stands there */
  constructor(view, button) {
    this.view = view;
    this.button = button;
    this.following = false;
    view.addEventListener("scroll", () => {
      this.following = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR;
      if (this.following) button.hidden = true;
    });
    button.addEventListener("click", () => this.toEnd());
    new ResizeObserver(() => this.following && this.jump()).observe(view);
  }

  /** Something was added at the end. */
  grown() {
    if (this.view.scrollHeight - this.view.clientHeight < NEAR) this.following = true;
    if (this.following) this.jump();
    else this.button.hidden = false;
  }

  toEnd() {
    this.following = true;
    this.button.hidden = true;
    this.jump();
  }

  jump() {
    this.view.scrollTop = this.view.scrollHeight;
  }

  /** @param {() => void} change add something above without moving what is being read */
  keepPlace(change) {
    const fromEnd = this.view.scrollHeight - this.view.scrollTop;
    change();
    this.view.scrollTop = this.view.scrollHeight - fromEnd;
  }
}
