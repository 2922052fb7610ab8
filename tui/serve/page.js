// The focus goes to the terminal, and its cells are measured once the font is there. It comes after the script that
// makes the terminal when the page has loaded, so that this is heard after it.
"use strict";
addEventListener("load", () => {
  const look = () => document.querySelector(".xterm-helper-textarea")?.focus();
  look();
  addEventListener("focus", look);
  document.fonts.ready.then(() => dispatchEvent(new Event("resize")));
});
