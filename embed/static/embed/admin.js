// Shows what was chosen without a click, and copies texts. Without it the form's button does the same.
(() => {
  "use strict";
  const form = document.getElementById("embed-options");
  const showCopyButtons = () => {
    for (const button of document.querySelectorAll("button[data-copy]")) button.hidden = false;
  };

  let latest = 0;
  async function refresh() {
    const number = ++latest;
    const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
    const response = await fetch(address);
    if (!response.ok || number !== latest) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const shown = page.getElementById("embed-result");
    if (!shown || number !== latest) return;  // The session has ended.
    document.getElementById("embed-result").replaceWith(document.adoptNode(shown));
    history.replaceState(null, "", address);
    showCopyButtons();
  }

  async function copy(button) {
    const field = document.getElementById(button.dataset.copy);
    const status = button.parentElement.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = "Copied.";
    } catch {
      // Pages without https have no clipboard.
      field.select();
      status.textContent = document.execCommand("copy") ? "Copied." : "Press Ctrl-C to copy.";
    }
  }

  form.addEventListener("change", refresh);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
  });
  showCopyButtons();
})();
