// Search, the list of pages on small screens, and light or dark. The index is a script, since a page that is opened as a file may
// not fetch one; it is loaded when the search field is first used.
(() => {
  const base = document.body.dataset.base;
  const query = document.getElementById("query");
  const found = document.getElementById("found");
  const detail = /decisions|experiments|validation|CHANGELOG/; // What a reader wants last.
  let index = null;
  let pages = null;

  function load() {
    if (pages || document.getElementById("index")) return;
    const script = document.createElement("script");
    script.id = "index";
    script.src = base + "/search/index.js";
    script.onload = () => {
      pages = new Map(window.pliantPages.map((page) => [page.location, page]));
      index = lunr(function () {
        this.ref("location");
        this.field("title", { boost: 10 });
        this.field("text");
        for (const page of window.pliantPages) this.add(page, { boost: detail.test(page.location) ? 0.2 : 1 });
      });
      show();
    };
    document.head.append(script);
  }

  function matches(text) {
    const words = text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    return index.query((q) => {
      for (const [at, word] of words.entries()) {
        q.term(word, { boost: 10, presence: words.length > 1 && at < words.length - 1 ? lunr.Query.presence.REQUIRED : undefined });
        q.term(word, { wildcard: lunr.Query.wildcard.TRAILING });
      }
    }).slice(0, 12);
  }

  function excerpt(page, text) {
    const word = text.toLowerCase().split(/\s+/)[0];
    const at = Math.max(0, page.text.toLowerCase().indexOf(word) - 40);
    return (at > 0 ? "... " : "") + page.text.slice(at, at + 130);
  }

  function show() {
    const text = query.value.trim();
    found.replaceChildren();
    found.hidden = !text || !index;
    if (found.hidden) return;
    const results = matches(text);
    for (const result of results) {
      const page = pages.get(result.ref);
      const link = document.createElement("a");
      link.href = base + "/" + page.location;
      const title = document.createElement("b");
      title.textContent = page.title;
      const line = document.createElement("span");
      line.textContent = excerpt(page, text);
      link.append(title, line);
      const item = document.createElement("li");
      item.append(link);
      found.append(item);
    }
    if (!results.length) found.textContent = "Nothing has these words.";
  }

  query.addEventListener("focus", load);
  query.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== query) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape") {
      found.hidden = true;
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) found.hidden = true;
  });

  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu");
    menu.setAttribute("aria-expanded", String(open));
  });
  document.getElementById("light").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.light ? root.dataset.light === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.light = dark ? "light" : "dark";
    try { localStorage.setItem("pliant-light", root.dataset.light); } catch { /* A browser may keep nothing for files. */ }
  });
})();
