// Tells the setup the time zone and the language of the browser, shows a chosen logo, and copies.
(() => {
  "use strict";
  const page = document.querySelector(".setup");
  if ("askBrowser" in page.dataset) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const known = new URLSearchParams({ zone: timeZone, language: navigator.language });
    location.replace(`?${known}`);
  }

  const preview = document.getElementById("logo-preview");
  document.getElementById("id_logo_file")?.addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => { preview.src = reader.result; preview.hidden = false; };
    reader.readAsDataURL(file);
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copy);
      const status = button.parentElement.querySelector("[role=status]");
      try {
        await navigator.clipboard.writeText(field.value);
        status.textContent = status.dataset.copied;
      } catch {
        // Pages without https have no clipboard.
        field.select();
        const isCopied = document.execCommand("copy");
        status.textContent = isCopied ? status.dataset.copied : status.dataset.byHand;
      }
    });
  }
})();
