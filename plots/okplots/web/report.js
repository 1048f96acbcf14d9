// Behaviour of the reproduction report: filtering and sorting tables, inspecting figures, downloading what is shown.
// Without it the page still has everything to read.
"use strict";
(() => {
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
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
  const csv = (rows) => rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
  const download = (name, text) => {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: `${name}.csv` });
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

  // Filters.
  const claims = all("#all-claims tbody tr");
  const filterClaims = () => {
    const paper = document.getElementById("by-paper").value, verdict = document.getElementById("by-verdict").value;
    const text = document.getElementById("by-text").value.toLowerCase();
    for (const row of claims)
      row.hidden = (paper && row.dataset.paper !== paper) || (verdict && row.dataset.verdict !== verdict) || (text && !row.textContent.toLowerCase().includes(text));
    document.getElementById("shown").textContent = `${claims.filter((row) => !row.hidden).length} of ${claims.length} shown`;
  };
  for (const id of ["by-paper", "by-verdict"]) document.getElementById(id).addEventListener("change", filterClaims);
  document.getElementById("by-text").addEventListener("input", filterClaims);
  document.getElementById("by-experiment").addEventListener("change", (event) => {
    for (const row of all("#all-costs tbody tr")) row.hidden = event.target.value && row.dataset.experiment !== event.target.value;
  });

  // Sorting, by buttons in the heads.
  for (const table of all("table.sortable"))
    all("thead th", table).forEach((head, column) => {
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        // Numbers by value and before texts, texts by their letters.
        const order = (a, b) => {
          const [x, y] = [parseFloat(a), parseFloat(b)];
          return Number.isNaN(x) !== Number.isNaN(y) ? (Number.isNaN(x) ? 1 : -1) : (Number.isNaN(x) ? 0 : x - y) || a.localeCompare(b, "en", { numeric: true });
        };
        const rows = [...body.rows].sort((a, b) => order(key(a), key(b)));
        body.append(...(down ? rows.reverse() : rows));
      };
      head.replaceChildren(element("button", { type: "button", text: head.textContent, onclick: sort }));
    });

  // Charts.
  const figures = JSON.parse(document.getElementById("charts").textContent);
  const shown = (value) => (value === null || value === undefined ? "–" : String(Number(value.toPrecision(4))));
  const dash = { solid: [], dashed: [6, 4], points: [] };

  class Chart {
    constructor(panel, name, place) {
      this.panel = panel;
      this.hidden = new Set();
      if (panel.path) {
        // No chart: its curves turn back in x. The numbers are there all the same.
        place.append(element("div", { class: "chart" }, element("h4", { text: panel.title || panel.y }),
          element("p", { class: "small", text: `Curves of ${panel.y} against ${panel.x} that turn back cannot be charted here; the picture shows them.` }),
          element("div", { class: "controls" }, element("button", { type: "button", text: "Download CSV", onclick: () => download(name, this.csv()) }))));
        return;
      }
      this.xlog = panel.xlog;
      this.ylog = panel.ylog;
      this.data = uPlot.join(panel.series.map((one) => [one.x, one.y]));
      this.labels = [...new Set(panel.series.map((one) => one.label))];
      const box = element("div", { class: "chart" }, element("h4", { text: panel.title || `${panel.y} against ${panel.x}` }));
      this.plot = element("div", { class: "plot", tabindex: "0", role: "application", "aria-label": `${panel.title} ${panel.y} against ${panel.x}. Arrow keys read values.` });
      this.readout = element("div", { class: "readout", role: "status", text: "Hover, or focus the chart and use the arrow keys, to read values." });
      box.append(this.series(), this.plot, this.readout, this.controls(name));
      place.append(box);
      this.plot.addEventListener("keydown", (event) => this.key(event));
      this.draw();
      new ResizeObserver(() => this.resize()).observe(this.plot);
    }

    series() {
      const set = element("fieldset", { class: "series" }, element("legend", { class: "small", text: "series" }));
      for (const label of this.labels) {
        const first = this.panel.series.find((one) => one.label === label);
        const box = element("input", { type: "checkbox" });
        box.checked = true;
        box.addEventListener("change", () => {
          if (box.checked) this.hidden.delete(label);
          else this.hidden.add(label);
          this.panel.series.forEach((one, i) => { if (one.label === label) this.u.setSeries(i + 1, { show: box.checked }); });
        });
        const swatch = element("span", { class: `swatch ${first.kind}`, "aria-hidden": "true" });
        swatch.style.borderTopColor = first.color;
        set.append(element("label", {}, box, swatch, label));
      }
      return set;
    }

    controls(name) {
      const scale = (axis, log) => {
        const select = element("select", { "aria-label": `${axis} axis` }, element("option", { value: "linear", text: `${axis} linear` }), element("option", { value: "log", text: `${axis} log` }));
        select.value = log ? "log" : "linear";
        select.addEventListener("change", () => {
          this[`${axis}log`] = select.value === "log";
          this.draw();
        });
        return select;
      };
      const button = (text, act, label) => element("button", { type: "button", text, "aria-label": label || text, onclick: act });
      return element("div", { class: "controls" }, scale("x", this.xlog), scale("y", this.ylog),
        button("+", () => this.zoom(0.5), "Zoom in"), button("−", () => this.zoom(2), "Zoom out"), button("←", () => this.pan(-0.25), "Move left"), button("→", () => this.pan(0.25), "Move right"),
        button("Reset", () => this.draw(), "Reset zoom"), button("Download CSV", () => download(name, this.csv())));
    }

    csv() {
      const rows = [["series", this.panel.x, this.panel.y]];
      for (const one of this.panel.series) if (!this.hidden.has(one.label)) one.x.forEach((x, i) => rows.push([one.label, x, one.y[i] ?? ""]));
      return csv(rows);
    }

    // Zero and below have no place on a logarithmic axis.
    values() {
      const [x, ...ys] = this.data;
      const keep = x.map((value) => !this.xlog || value > 0);
      const kept = (list, log) => list.filter((_, i) => keep[i]).map((value) => (log && value !== null && value !== undefined && value <= 0 ? null : value));
      return [kept(x, false), ...ys.map((list) => kept(list, this.ylog))];
    }

    draw() {
      const focus = document.activeElement === this.plot;
      this.u?.destroy();
      const range = this.ylog === this.panel.ylog ? this.panel.ylim : null;
      // Ticks of a logarithmic axis start at a whole decade.
      const limits = !range ? null : !this.ylog ? range : range[0] > 0 ? uPlot.rangeLog(range[0], range[1], 10, true) : null;
      this.u = new uPlot({
        width: this.width(), height: 320, legend: { show: false },
        scales: {
          x: { time: false, distr: this.xlog ? 3 : 1 },
          y: { distr: this.ylog ? 3 : 1, range: limits ?? undefined },
        },
        axes: [{ label: this.panel.x, stroke: "#333" }, { label: this.panel.y, stroke: "#333", size: 64 }],
        series: [{}, ...this.panel.series.map((one) => ({
          label: one.label, stroke: one.color, width: one.kind === "points" ? 0 : 1.6, dash: dash[one.kind], spanGaps: true, show: !this.hidden.has(one.label),
          paths: one.kind === "points" ? () => null : undefined, points: { show: one.kind === "points" || one.x.length < 12, size: 5, fill: one.color },
        }))],
        cursor: { drag: { x: true, y: false } },
        hooks: { setCursor: [(u) => this.read(u.cursor.idx)] },
      }, this.values(), this.plot);
      if (focus) this.plot.focus();
    }

    width() { return Math.max(220, this.plot.clientWidth || 600); }
    resize() { if (this.u && Math.abs(this.u.width - this.width()) > 1) this.u.setSize({ width: this.width(), height: 320 }); }

    read(index) {
      if (index === null || index === undefined) return;
      const x = this.u.data[0][index];
      const texts = [];
      const seen = new Set();
      this.panel.series.forEach((one, i) => {
        if (this.hidden.has(one.label) || seen.has(one.label)) return;
        // A point counts at its own place; a curve, which has places of its own, between its first and last.
        if (one.kind === "points" ? !one.x.includes(x) : x < one.x[0] || x > one.x[one.x.length - 1]) return;
        let at = index;
        while (at > 0 && (this.u.data[i + 1][at] === null || this.u.data[i + 1][at] === undefined)) --at;
        const value = this.u.data[i + 1][at];
        if (value === null || value === undefined) return;
        seen.add(one.label);
        texts.push(`${one.label}: ${shown(value)}`);
      });
      this.readout.textContent = `${this.panel.x} ${shown(x)} — ${texts.join("; ")}`;
    }

    key(event) {
      const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 25, PageUp: -25 }[event.key];
      if (!step) return;
      event.preventDefault();
      const x = this.u.data[0];
      this.at = Math.min(x.length - 1, Math.max(0, (this.at ?? -1) + step));
      this.u.setCursor({ left: this.u.valToPos(x[this.at], "x"), top: 10 });
      this.read(this.at);
    }

    place(value) { return this.xlog ? Math.log(value) : value; }
    back(value) { return this.xlog ? Math.exp(value) : value; }
    span() { return [this.place(this.u.scales.x.min), this.place(this.u.scales.x.max)]; }
    setSpan(low, high) { this.u.setScale("x", { min: this.back(low), max: this.back(high) }); }
    zoom(factor) {
      const [low, high] = this.span(), middle = (low + high) / 2, half = ((high - low) / 2) * factor;
      this.setSpan(middle - half, middle + half);
    }
    pan(share) {
      const [low, high] = this.span(), way = share * (high - low);
      this.setSpan(low + way, high + way);
    }
  }

  const charts = {};
  for (const button of all(".inspect"))
    button.addEventListener("click", () => {
      const id = button.dataset.figure, place = document.getElementById(`inspect-${id}`);
      place.hidden = !place.hidden;
      button.setAttribute("aria-expanded", String(!place.hidden));
      button.textContent = place.hidden ? "Inspect the curves" : "Close the curves";
      if (!charts[id]) charts[id] = figures[id].map((panel, i) => new Chart(panel, `${id}-${i + 1}`, place));
      else for (const chart of charts[id]) chart.resize();
    });
  window.okbenchReport = { charts };
})();
