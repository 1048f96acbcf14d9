// Filters, sorts and downloads tables of the report. charts.js handles the figures.
// The page is complete and readable without JavaScript.
"use strict";
const okbenchPage = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "text") made.textContent = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };
  for (const hidden of all(".filters, .tools")) hidden.hidden = false;

  // CSV.
  // Spreadsheets take text that starts with = + - @ for a formula; a quote stops that.
  const plain = (cell) => (/^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : String(cell));
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${plain(cell).replaceAll('"', '""')}"` : plain(cell));
  const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
  const download = (name, text, kind = "csv") => {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: `text/${kind}` })), download: `${name}.${kind}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  for (const button of all(".table-csv"))
    button.addEventListener("click", () => {
      const table = (button.closest("article") || button.closest("section")).querySelector("table");
      const rows = all("tr", table).filter((row) => !row.hidden);
      download(button.dataset.name, csv(rows.map((row) => all("th, td", row).map((cell) => cell.dataset.value ?? cell.textContent.trim().replace(/\s+/g, " ")))));
    });

  // Filters of claims.
  const claims = all("#claims tbody tr");
  const when = (id, event, act) => document.getElementById(id)?.addEventListener(event, act);
  const filterClaims = () => {
    const verdict = document.getElementById("by-verdict").value;
    const text = document.getElementById("by-text").value.toLowerCase();
    for (const row of claims)
      row.hidden = (verdict && row.dataset.verdict !== verdict) || (text && !row.textContent.toLowerCase().includes(text));
    document.getElementById("shown").textContent = `${claims.filter((row) => !row.hidden).length} of ${claims.length} shown`;
  };
  when("by-verdict", "change", filterClaims);
  when("by-text", "input", filterClaims);

  // On narrow screens rows become cards, so long tables start folded.
  if (window.matchMedia("(max-width: 60rem)").matches) for (const fold of all("details.long")) fold.open = false;

  // Following a link into a fold opens it.
  const unfold = (place) => {
    for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  };
  const follow = () => {
    const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    unfold(place.matches("details") ? place : place.querySelector(":scope > details") ?? place);
    place.scrollIntoView();
  };
  window.addEventListener("hashchange", follow);
  follow();
  // Tables are printed whole. Reasons and provenance are printed where they are open.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details.long:not([open])");
    for (const fold of folded) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
  });

  // Sorting, by buttons in the table header.
  for (const table of all("table.sortable"))
    all("thead th", table).forEach((head, column) => {
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        // Numbers by value and before texts; texts alphabetically.
        const order = (a, b) => {
          const [x, y] = [parseFloat(a), parseFloat(b)];
          return Number.isNaN(x) !== Number.isNaN(y) ? (Number.isNaN(x) ? 1 : -1) : (Number.isNaN(x) ? 0 : x - y) || a.localeCompare(b, "en", { numeric: true });
        };
        const rows = [...body.rows].sort((a, b) => order(key(a), key(b)));
        body.append(...(down ? rows.reverse() : rows));
      };
      head.replaceChildren(element("button", { type: "button", text: head.textContent, onclick: sort }));
    });
  return { all, element, csv, download };
})();
