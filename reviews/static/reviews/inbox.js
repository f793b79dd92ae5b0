// Shows the opened review's place in the list, and copies the reply; all else works without it.
(() => {
  "use strict";
  const list = document.querySelector(".inbox-list"), opened = list?.querySelector("a[aria-current]");
  if (opened) list.scrollTop = opened.offsetTop - list.offsetTop - opened.offsetHeight;
  const button = document.querySelector("button[data-copy]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    const status = document.getElementById(button.getAttribute("aria-describedby"));
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Pages without https have no clipboard.
      field.select();
      isCopied = document.execCommand("copy");
    }
    status.textContent = isCopied ? status.dataset.copied : status.dataset.failed;
    if (isCopied && button.dataset.site) window.open(button.dataset.site, "_blank", "noopener,noreferrer");
  });
})();
