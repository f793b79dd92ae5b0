// The element <customer-reviews> shows the reviews of one business on any page. It sets no cookies,
// and inserts texts as text nodes. All requests go to the origin below; images are loaded only if
// the business publishes them. In frames and fragments the script adds behaviour to the markup.
(() => {
  "use strict";
  const NAME = "customer-reviews";
  const ORIGIN = "__ORIGIN__";
  const CHOICES = "__CHOICES__";
  const STARS = "__STARS__";
  const ICONS = "__ICONS__";
  const SECONDS = 6;
  if (customElements.get(NAME)) return;

  const warn = (sentence) => console.warn(`<${NAME}>: ${sentence}`);

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== "") element.setAttribute(name, value);
    }
    element.append(...children.filter(Boolean));
    return element;
  }
  const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // --- Behaviour of rendered widgets --------------------------------------------------------------

  // Put each card into the shortest column, so that rows stay in order without gaps.
  function layMasonry(items) {
    items.classList.add("cr-laid");
    const style = getComputedStyle(items);
    const gap = parseFloat(style.columnGap);
    const ends = style.gridTemplateColumns.split(" ").map(() => 0);
    const heights = [...items.children].map((card) => card.getBoundingClientRect().height);
    [...items.children].forEach((card, index) => {
      if (card.hidden) return;
      const column = ends.indexOf(Math.min(...ends));
      const rows = Math.ceil(heights[index] + gap);
      card.style.gridArea = `${ends[column] + 1} / ${column + 1} / span ${rows}`;
      ends[column] += rows;
    });
    items.style.marginBottom = `${-gap}px`;  // The last cards have a gap too.
  }

  function moveCarousel(frame, items) {
    const buttons = frame.querySelector(".cr-buttons");
    if (!buttons) return;
    buttons.hidden = false;
    const step = (way) => {
      const card = items.firstElementChild;
      const width = card.offsetWidth + parseFloat(getComputedStyle(items).columnGap);
      const cards = Math.max(1, Math.floor(items.clientWidth / width));
      const atEnd = items.scrollLeft + items.clientWidth >= items.scrollWidth - 2;
      if (way > 0 && atEnd) items.scrollTo({ left: 0 });
      else items.scrollBy({ left: way * cards * width });
    };
    for (const button of buttons.querySelectorAll("[data-way]")) {
      button.addEventListener("click", () => step(Number(button.dataset.way)));
    }
    if (!frame.classList.contains("cr-autoplay") || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const pause = buttons.querySelector(".cr-pause");
    const labels = [pause.getAttribute("aria-label"), pause.dataset.play];
    let isPaused = false;
    const set = (paused) => {
      isPaused = paused;
      pause.setAttribute("aria-pressed", paused);
      pause.setAttribute("aria-label", labels[Number(paused)]);
    };
    pause.hidden = false;
    pause.addEventListener("click", () => set(!isPaused));
    for (const kind of ["pointerdown", "keydown", "wheel"]) items.addEventListener(kind, () => set(true), { passive: true });
    const timer = setInterval(() => {
      if (!frame.isConnected) clearInterval(timer);
      else if (!isPaused && !document.hidden && !frame.matches(":hover, :focus-within")) step(1);
    }, SECONDS * 1000);
  }

  // Show as many cards of a list or wall as fit into this height; a button shows the rest.
  function fitCards(frame, items, limit, lay) {
    const further = frame.querySelector(".cr-further");
    const cards = [...items.children];
    const isTooHigh = () => frame.getBoundingClientRect().height > limit + 1;
    for (let last = cards.length - 1; last > 0 && isTooHigh(); last--) {
      further.hidden = false;
      cards[last].hidden = true;
      lay();
    }
    further.firstElementChild.addEventListener("click", () => {
      further.hidden = true;
      const first = cards.find((card) => card.hidden);
      for (const card of cards) card.hidden = false;
      lay();
      first.querySelector("a").focus();
    });
  }

  function enhance(frame, limit) {
    const items = frame.querySelector(".cr-items");
    if (!items) return;
    const isWall = frame.classList.contains("cr-wall");
    const lay = () => isWall && layMasonry(items);
    for (const image of items.querySelectorAll("img")) image.addEventListener("error", () => image.remove());
    if (frame.classList.contains("cr-carousel")) moveCarousel(frame, items);
    lay();
    if (limit && (isWall || frame.classList.contains("cr-list"))) fitCards(frame, items, limit, lay);
    const observer = new ResizeObserver(lay);
    if (isWall) for (const each of [items, ...items.children]) observer.observe(each);
  }

  // --- The framed page ----------------------------------------------------------------------------

  function reportHeight() {
    // WordPress passes a secret to the frame, and accepts heights only with it.
    const secret = /^#\?secret=([A-Za-z0-9]+)$/.exec(location.hash)?.[1];
    const send = (message) => parent.postMessage({ ...message, secret }, "*");
    const main = document.querySelector("main");
    new ResizeObserver(() => {
      const height = Math.ceil(main.getBoundingClientRect().height);
      send({ type: "customer-reviews", height, message: "height", value: height });
    }).observe(main);
    if (!secret) return;
    // The sandbox of WordPress blocks links, so its page has to open them.
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      send({ message: "link", value: link.href });
    });
  }

  function enhancePage() {
    const isFramed = document.documentElement.classList.contains("cr-frame") && parent !== window;
    for (const frame of document.querySelectorAll(".cr")) enhance(frame, isFramed && innerHeight);
    if (isFramed) reportHeight();
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", enhancePage);
  else enhancePage();

  // --- Attributes ---------------------------------------------------------------------------------

  function read(element) {
    const attribute = (name) => (element.getAttribute(name) || "").trim();
    const refused = (name, must) => warn(`the attribute ${name} must be ${must}.`);
    const number = (name, usual, least, most) => {
      const value = attribute(name);
      const isNumber = /^(0|[1-9][0-9]?)$/.test(value) && Number(value) >= least && Number(value) <= most;
      if (value && !isNumber) refused(name, `a whole number from ${least} to ${most}`);
      return isNumber ? Number(value) : usual;
    };
    const matching = (name, pattern, must) => {
      const value = attribute(name);
      if (value && !pattern.test(value)) refused(name, must);
      return pattern.test(value) ? value : "";
    };
    const colour = (name) => matching(name, /^#([0-9a-f]{3}|[0-9a-f]{6})$/i, "a colour like #0b6b57");
    const options = {
      max: number("max", CHOICES.count, 1, CHOICES.max),
      stars: number("min-rating", 1, 1, 5),
      radius: number("radius", null, 0, CHOICES.radius),
      source: matching("source", /^[a-z0-9]+(-[a-z0-9]+)*$/, "the id of a source, like google"),
      accent: colour("accent"),
      starColour: colour("star-color"),
      lang: matching("lang", /^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}$/i, "a language tag, like en or de-AT"),
    };
    for (const [name, known] of Object.entries(CHOICES.names)) {
      const value = CHOICES.aliases[attribute(name)] || attribute(name);
      if (value && !known.includes(value)) refused(name, `one of: ${known.join(", ")}`);
      options[name] = known.includes(value) ? value : CHOICES.usual[name];
    }
    options.hasReviews = !["badge", "bar"].includes(options.layout);
    return options;
  }

  // Leave out default values and sort the rest, so that equal widgets share a URL.
  function address(options) {
    const query = new URLSearchParams();
    if (options.layout === "quote") query.set("layout", "quote");
    if (!options.hasReviews) query.set("max", "1");
    else {
      if (options.stars > 1) query.set("min-rating", options.stars);
      if (options.max !== CHOICES.count && options.layout !== "quote") query.set("max", options.max);
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

  // In units of the drawing, which is 100 wide.
  const stars = (rating, label) => make("span", { class: "cr-stars", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true }) },
    draw("svg", { viewBox: "0 0 100 20" }, draw("path", { class: "cr-off", d: STARS }),
      draw("svg", { width: rating * 20, height: 20 }, draw("path", { class: "cr-on", d: STARS }))));
  const picture = (src) => make("img", { src, alt: "", loading: "lazy", referrerpolicy: "no-referrer" });
  const text = (review, words, ...more) =>
    words && make("p", { class: "cr-text", dir: "auto", lang: review.text_lang }, words, ...more);
  const icon = (name, attributes) =>
    draw("svg", { class: "cr-icon", viewBox: "0 0 16 16", ...attributes }, draw("path", { d: ICONS[name] }));
  const hidden = { "aria-hidden": "true" };

  function card(words, review) {
    const link = make("a", { href: review.url, "aria-label": `${review.read}, ${review.date_text}` },
      make("time", { datetime: review.date }, review.date_text));
    return make("li", { class: "cr-card" },
      make("div", { class: "cr-author-row" },
        make("span", { class: "cr-avatar", ...hidden },
          draw("svg", { viewBox: "0 0 40 40" }, draw("rect", { width: 40, height: 40, fill: review.tint }),
            draw("text", { x: 20, y: 20, dy: ".35em" }, review.initials)),
          review.avatar && picture(review.avatar)),
        make("div", { class: "cr-who" },
          make("p", { class: "cr-author" }, make("span", { dir: "auto" }, review.author),
            review.is_verified && icon("verified", { class: "cr-tick", role: "img", "aria-label": words.verified })),
          make("p", { class: "cr-facts" }, link, review.source && ` · ${review.source}`)),
        review.source && make("span", { class: "cr-source", "aria-hidden": "true" }, review.source[0])),
      stars(review.rating, review.rating_label),
      text(review, review.text, review.rest && make("span", { class: "cr-dots" }, "…")),
      review.rest && make("details", { class: "cr-more" },
        make("summary", {}, make("span", {}, words.more), make("span", {}, words.less)), text(review, review.rest)),
      review.photos.length && make("p", { class: "cr-photos" }, ...review.photos.map(picture)),
      review.mark && make("p", { class: "cr-mark" }, review.mark),
      review.reply && make("details", { class: "cr-reply" }, make("summary", {}, words.reply),
        make("p", { dir: "auto" }, review.reply)));
  }

  const rating = (data, tag, attributes) => make(tag, { class: "cr-top", ...attributes }, make("strong", {}, data.rating_text),
    data.count && stars(data.rating, data.rating_label), make("span", {}, data.count_text));

  function list(data, layout) {
    const button = (name, attributes, more) => make("button", { type: "button", "aria-label": data.words[name], ...attributes }, icon(name, hidden), more);
    const isCarousel = layout === "carousel";
    return [
      make("div", { class: "cr-head" }, rating(data, "p", {}),
        isCarousel && data.reviews.length > 1 && make("p", { class: "cr-buttons" },
          button("previous", { "data-way": -1 }), button("next", { "data-way": 1 }),
          button("pause", { class: "cr-pause", "data-play": data.words.play, hidden: "hidden" }, icon("play", hidden))),
        make("p", { class: "cr-note" }, data.note)),
      make("ul", { class: "cr-items", ...(isCarousel && { tabindex: 0, "aria-label": data.note }) },
        ...data.reviews.map((review) => card(data.words, review))),
      make("p", { class: "cr-further", hidden: "hidden" }, make("button", { type: "button" }, data.words.further)),
      make("p", { class: "cr-foot", dir: "auto" }, data.publisher, " · ", make("a", { href: data.all.url }, data.all.text)),
    ];
  }

  function content(data, layout) {
    if (layout === "badge" || layout === "bar") {
      return [rating(data, "a", { href: data.all.url }), make("p", { class: "cr-note", dir: "auto" }, data.publisher)];
    }
    if (layout !== "floating") return list(data, layout);
    const panel = { class: "cr-panel", id: "cr-panel", popover: "auto", "aria-label": data.title };
    const opens = { popovertarget: "cr-panel", type: "button" };
    return [
      make("button", { class: "cr-top", "aria-label": `${data.title}: ${data.rating_label}, ${data.count_text}`, ...opens },
        make("strong", {}, data.rating_text), stars(data.rating || 0)),
      make("section", panel,
        make("button", { class: "cr-close", popovertargetaction: "hide", "aria-label": data.words.close, ...opens }, icon("close", hidden)),
        ...list(data, layout)),
    ];
  }

  // --- The element --------------------------------------------------------------------------------

  // A constructed style sheet works even if a policy forbids inline styles.
  const styles = new CSSStyleSheet();
  styles.replaceSync("__STYLES__");

  class CustomerReviews extends HTMLElement {
    static observedAttributes = ["min-rating", "max", "source", "accent", "star-color", "radius", "lang", ...Object.keys(CHOICES.names)];
    #root = this.attachShadow({ mode: "open" });
    #shown = 0;
    #isDue = false;
    #reserved = 0;

    connectedCallback() {
      this.#reserved ||= parseFloat(getComputedStyle(this).minHeight) || 0;
      this.#root.adoptedStyleSheets = [styles];
      this.#show();
    }

    attributeChangedCallback() {
      // Render once after several attributes have changed.
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
      const isSection = options.hasReviews && options.layout !== "floating";
      const frame = make(isSection ? "section" : "div", {
        class: `cr cr-${options.layout} cr-${options.theme} cr-background-${options.background} cr-${options.density} cr-${options.size}`,
        dir: "ltr", "aria-busy": "true",
      });
      if (options.autoplay === "on") frame.classList.add("cr-autoplay");
      const own = { "--cr-accent": options.accent, "--cr-star": options.starColour, "--cr-radius": options.radius === null ? "" : `${options.radius}px` };
      for (const [name, value] of Object.entries(own)) if (value) frame.style.setProperty(name, value);
      // Show the element's own content until the reviews have loaded.
      const slot = make("slot", {});
      frame.append(make("p", { class: "cr-fallback" }, slot));
      if (!this.#root.firstChild) this.#root.append(frame);
      let data;
      try {
        data = await load(address(options));
      } catch (error) {
        warn(error.message);
        slot.append(make("a", { href: `${ORIGIN}/reviews` }, `${ORIGIN}/reviews`));
      }
      if (number !== this.#shown) return;
      frame.removeAttribute("aria-busy");
      if (data) {
        frame.lang = data.lang;
        if (isSection) frame.setAttribute("aria-label", data.title);
        frame.replaceChildren(...content(data, options.layout));
      }
      this.#root.replaceChildren(frame);
      enhance(frame, this.#reserved);
      this.#release();
    }

    // Release reserved height that the reviews do not need, unless visible content would move.
    #release() {
      const end = this.#root.firstChild.getBoundingClientRect().bottom;
      if (end >= innerHeight || this.getBoundingClientRect().top >= innerHeight) this.style.minHeight = "0";
    }
  }

  customElements.define(NAME, CustomerReviews);
})();
