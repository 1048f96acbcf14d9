// Selects the table and curves of the league page by kind of cost and budget.
"use strict";
(() => {
  const { all } = okbenchPage;
  const place = document.getElementById("league-data");
  if (!place) return;
  const { choices } = JSON.parse(place.textContent);
  const table = document.getElementById("standings-table"), curves = document.getElementById("curves");
  const cost = document.getElementById("by-cost"), budget = document.getElementById("by-budget");
  const message = document.getElementById("chosen");
  const update = () => {
    const chosen = `${cost.value}-${budget.value}`, rows = choices[chosen];
    for (const row of all("tbody tr", table)) {
      const found = rows[row.dataset.learner];
      row.hidden = !found;
      if (!found) continue;
      all("td", row).forEach((cell, i) => {
        const [text, value] = found.cells[i];
        cell.textContent = text;
        cell.dataset.value = value ?? "";
      });
    }
    // Best first; learners without a result last.
    const rank = (row) => rows[row.dataset.learner]?.place ?? Infinity;
    table.tBodies[0].append(...all("tbody tr", table).sort((a, b) => rank(a) - rank(b)));
    for (const head of all("thead th", table)) head.removeAttribute("aria-sort");
    const part = Object.keys(rows).length;
    message.textContent = `${part} of ${all("tbody tr", table).length} learners; ${cost.selectedOptions[0].textContent}; ${budget.selectedOptions[0].textContent}`;
    if (curves && window.okbenchReport) window.okbenchReport.show(`curves-${chosen}`, curves);
  };
  for (const select of [cost, budget]) select.addEventListener("change", update);
  update();
})();
