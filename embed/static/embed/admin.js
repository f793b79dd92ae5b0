// Shows what was chosen without a click, and copies texts. Without it the form's button does the same.
(() => {
  "use strict";
  const form = document.getElementById("embed-options");
  const view = { width: "", page: "light" };

  // The preview as a page of this width and colour shows it.
  function showView() {
    for (const each of document.querySelectorAll("button[data-copy], .embed-views")) each.hidden = false;
    for (const button of document.querySelectorAll("[data-width], [data-page]")) {
      const isChosen = button.dataset.width === view.width || button.dataset.page === view.page;
      button.setAttribute("aria-pressed", isChosen);
    }
    const preview = document.querySelector(".embed-page-preview");
    const widget = preview.querySelector("customer-reviews");
    preview.style.maxWidth = view.width && `${view.width}px`;
    preview.classList.toggle("embed-dark", view.page === "dark");
    if (form.elements.theme.value === "auto") widget.setAttribute("theme", view.page);
  }

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
    showView();
  }

  async function copy(button) {
    const field = document.getElementById(button.dataset.copy);
    const status = button.parentElement.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = form.dataset.copied;
    } catch {
      // Pages without https have no clipboard.
      field.select();
      status.textContent = document.execCommand("copy") ? form.dataset.copied : form.dataset.copy;
    }
  }

  form.addEventListener("change", refresh);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.copy) copy(button);
    if (button?.dataset.width !== undefined) view.width = button.dataset.width;
    if (button?.dataset.page) view.page = button.dataset.page;
    if (button) showView();
  });
  showView();
})();
