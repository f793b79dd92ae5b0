// The element <customer-reviews> shows the reviews of one business on any page. It sets no cookie,
// asks no other site, and writes texts as texts. Every request goes to the address below.
(() => {
  "use strict";
  const NAME = "customer-reviews";
  const ORIGIN = "__ORIGIN__";
  const CHOICES = "__CHOICES__";
  const STARS = "__STARS__";
  if (customElements.get(NAME)) return;

  // Constructed, so that a policy that forbids inline styles does not concern it.
  const styles = new CSSStyleSheet();
  styles.replaceSync("__STYLES__");

  const warn = (sentence) => console.warn(`<${NAME}>: ${sentence}`);

  function make(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (value !== null && value !== "") element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  function draw(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // As far into the drawing, 100 units wide, as the rating is into five.
  const stars = (rating, label) => make("span", { class: "cr-stars", role: "img", "aria-label": label },
    draw("svg", { viewBox: "0 0 100 20" }, draw("path", { class: "cr-off", d: STARS }),
      draw("svg", { width: rating * 20, height: 20 }, draw("path", { class: "cr-on", d: STARS }))));

  // --- Attributes ---------------------------------------------------------------------------------

  function read(element) {
    const attribute = (name) => (element.getAttribute(name) || "").trim();
    const refused = (name, must) => warn(`the attribute ${name} must be ${must}.`);
    const choice = (name) => {
      const value = attribute(name);
      if (value && !CHOICES[name].includes(value)) refused(name, `one of: ${CHOICES[name].join(", ")}`);
      return CHOICES[name].includes(value) ? value : CHOICES.usual[name];
    };
    const number = (name, usual, most) => {
      const value = attribute(name);
      const isNumber = /^[1-9][0-9]?$/.test(value) && Number(value) <= most;
      if (value && !isNumber) refused(name, `a whole number from 1 to ${most}`);
      return isNumber ? Number(value) : usual;
    };
    const matching = (name, pattern, must) => {
      const value = attribute(name);
      if (value && !pattern.test(value)) refused(name, must);
      return pattern.test(value) ? value : "";
    };
    return {
      layout: choice("layout"),
      theme: choice("theme"),
      sort: choice("sort"),
      max: number("max", CHOICES.count, CHOICES.max),
      stars: number("min-rating", 1, 5),
      source: matching("source", /^[a-z0-9]+(-[a-z0-9]+)*$/, "the id of a source, like google"),
      accent: matching("accent", /^#([0-9a-f]{3}|[0-9a-f]{6})$/i, "a colour like #0b6b57"),
      lang: matching("lang", /^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i, "a language tag, like en or de-AT"),
    };
  }

  // Without what is as usual and in one order, so that equal widgets have one address.
  function address(options) {
    const query = new URLSearchParams();
    if (options.layout === "badge") query.set("max", "1");
    else {
      if (options.stars > 1) query.set("min-rating", options.stars);
      if (options.max !== CHOICES.count) query.set("max", options.max);
      if (options.source) query.set("source", options.source);
      if (options.sort !== CHOICES.usual.sort) query.set("sort", options.sort);
    }
    if (options.lang) query.set("lang", options.lang.split("-")[0].toLowerCase());
    const text = String(query);
    return `${ORIGIN}/embed/widget.json${text && `?${text}`}`;
  }

  const answers = new Map();
  function load(url) {
    if (!answers.has(url)) {
      const answer = fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" }).then((response) => {
        if (!response.ok) throw new Error(`${response.status} for ${url}`);
        return response.json();
      });
      answer.catch(() => answers.delete(url));
      answers.set(url, answer);
    }
    return answers.get(url);
  }

  // --- Content ------------------------------------------------------------------------------------

  const rows = (options) => ({ list: options.max, grid: Math.ceil(options.max / 3) }[options.layout] || 1);

  function height(options) {
    const [rest, row] = CHOICES.heights[options.layout];
    return rest + row * rows(options);
  }

  function card(review) {
    const date = make("time", { datetime: review.date }, review.date_text);
    const link = make("a", { href: review.url, "aria-label": `${review.read}, ${review.date_text}` }, date);
    const facts = make("p", { class: "cr-facts" });
    if (review.mark) facts.append(make("b", {}, review.mark), " · ");
    facts.append(link, review.facts && ` · ${review.facts}`);
    return make("li", { class: "cr-card" },
      make("div", { class: "cr-who" }, stars(review.rating, review.rating_label),
        make("span", { class: "cr-author", dir: "auto" }, review.author)),
      facts,
      make("p", { class: "cr-text", dir: "auto", lang: review.text_lang }, review.text));
  }

  function head(data, tag, properties) {
    const shown = make(tag, { class: "cr-top", ...properties }, make("strong", {}, data.rating_text));
    if (data.count) shown.append(stars(data.rating, data.rating_label));
    shown.append(make("span", {}, data.count_text));
    return shown;
  }

  // How many of all reviews there are, and the buttons of a carousel.
  function about(data, items) {
    const shown = make("div", { class: "cr-about" }, make("p", { class: "cr-note" }, data.note));
    const button = (label, sign, way) => {
      const made = make("button", { type: "button", "aria-label": label }, sign);
      made.addEventListener("click", () => items.scrollBy({ left: way * items.clientWidth * 0.8 }));
      return made;
    };
    if (items) shown.append(button(data.previous, "‹", -1), button(data.next, "›", 1));
    return shown;
  }

  const foot = (data) => make("div", { class: "cr-foot" },
    make("p", { dir: "auto" }, data.publisher, " · ", make("a", { href: data.all.url }, data.all.text)));

  class CustomerReviews extends HTMLElement {
    static observedAttributes = ["layout", "min-rating", "max", "sort", "source", "theme", "accent", "lang"];
    #root = this.attachShadow({ mode: "open" });
    #shown = 0;
    #isDue = false;

    connectedCallback() {
      this.#root.adoptedStyleSheets = [styles];
      this.#show();
    }

    attributeChangedCallback() {
      // Several attributes that change at once are shown once.
      if (!this.isConnected || this.#isDue) return;
      this.#isDue = true;
      queueMicrotask(() => {
        this.#isDue = false;
        this.#show();
      });
    }

    async #show() {
      const options = read(this);
      const number = ++this.#shown;
      const isCards = options.layout !== "badge";
      const frame = make(isCards ? "section" : "div", {
        class: `cr cr-${options.layout} cr-${options.theme}`, dir: "ltr", "aria-busy": "true",
      });
      if (options.accent) frame.style.setProperty("--cr-accent", options.accent);
      frame.style.setProperty("--cr-rows", rows(options));
      // The same before and after the reviews are there, so that nothing on the page moves.
      frame.style.setProperty("height", `${height(options)}em`);
      const items = make("ul", { class: "cr-items" });
      if (isCards) {
        for (let card = 0; card < options.max; card++) items.append(make("li", { class: "cr-card cr-wait", "aria-hidden": "true" }));
        frame.append(make("div", { class: "cr-top" }, make("strong", {}, "\u00a0"),
          make("div", { class: "cr-about" }, make("p", { class: "cr-note" }))), items, make("div", { class: "cr-foot" }));
      }
      this.#root.replaceChildren(frame);
      let data;
      try {
        data = await load(address(options));
      } catch (error) {
        warn(error.message);
        // The content that the page has inside the element, else a link.
        if (number === this.#shown) {
          frame.replaceChildren(make("slot", {}, make("a", { href: `${ORIGIN}/reviews` }, `${ORIGIN}/reviews`)));
          frame.removeAttribute("aria-busy");
        }
        return;
      }
      if (number !== this.#shown) return;
      frame.lang = data.lang;
      frame.removeAttribute("aria-busy");
      if (!isCards) {
        frame.replaceChildren(head(data, "a", { href: data.all.url }),
          make("p", { class: "cr-note", dir: "auto" }, data.publisher));
        return;
      }
      frame.setAttribute("aria-label", data.title);
      const top = head(data, "div", {});
      top.append(about(data, options.layout === "carousel" && data.reviews.length ? items : null));
      items.replaceChildren(...data.reviews.map(card));
      if (options.layout !== "list") {
        items.tabIndex = 0;
        items.setAttribute("aria-label", data.note);
      }
      frame.replaceChildren(top, items, foot(data));
    }
  }

  customElements.define(NAME, CustomerReviews);
})();
