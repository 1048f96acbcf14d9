// Interactive charts of the report: read values, zoom, hide series and change axes.
"use strict";
(() => {
  const { all, element, csv, download } = okbenchPage;
  const { lists, figures } = JSON.parse(document.getElementById("charts").textContent);
  // Each list of numbers is stored once; series refer to it by index.
  for (const one of Object.values(figures).flat().flatMap((panel) => panel.series)) {
    for (const key of ["x", "y"]) one[key] = lists[one[key]];
    for (const kind of Object.keys(one.along)) one.along[kind] = lists[one.along[kind]];
  }
  const shown = (value) => (value === null || value === undefined ? "–" : String(Number(value.toPrecision(4))));
  // A tick label of at most six digits.
  const tick = (value) => value === null ? null : Math.abs(value) < 1e5
    ? value.toLocaleString("en", { maximumSignificantDigits: 6 }) : String(Number(value.toPrecision(6)).toExponential()).replace("e+", "e");

  // Shapes of points, which distinguish series without colour.
  const polygon = (...corners) => (path, x, y, r) => {
    corners.forEach(([dx, dy], i) => (i ? path.lineTo(x + r * dx, y + r * dy) : path.moveTo(x + r * dx, y + r * dy)));
    path.closePath();
  };
  const strokes = (...ends) => (path, x, y, r) => {
    for (const [dx, dy] of ends) {
      path.moveTo(x - r * dx, y - r * dy);
      path.lineTo(x + r * dx, y + r * dy);
    }
  };
  const shapes = [
    (path, x, y, r) => { path.moveTo(x + r, y); path.arc(x, y, r, 0, 2 * Math.PI); },
    polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]), polygon([0, -1.1], [1, 0.8], [-1, 0.8]),
    polygon([0, -1.2], [1, 0], [0, 1.2], [-1, 0]), strokes([1, 1], [1, -1]), strokes([1.2, 0], [0, 1.2]),
  ];
  const drawShape = (context, mark, x, y, radius, color, width) => {
    const path = new Path2D();
    shapes[mark](path, x, y, radius);
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = width;
    if (mark < 4) context.fill(path);
    context.stroke(path);
  };
  const swatch = (series) => {
    const ratio = window.devicePixelRatio || 1, width = 44, height = 12;
    const made = element("canvas", { class: "swatch", width: width * ratio, height: height * ratio, "aria-hidden": "true" });
    const context = made.getContext("2d");
    context.scale(ratio, ratio);
    if (series.kind === "points") drawShape(context, series.mark, width / 2, height / 2, 4, series.color, 1.5);
    else {
      context.strokeStyle = series.color;
      context.lineWidth = 2;
      context.setLineDash(series.dash);
      context.beginPath();
      context.moveTo(0, height / 2);
      context.lineTo(width, height / 2);
      context.stroke();
    }
    return made;
  };

  class Chart {
    constructor(panel, name, place) {
      this.panel = panel;
      // Articles have a heading of level 3, sections one of level 2.
      const heading = element(place.closest("article") ? "h4" : "h3", { text: panel.title || panel.y });
      this.hidden = new Set();
      if (panel.path) {
        // No chart, because x does not increase along a curve. The numbers can still be downloaded.
        place.append(element("div", { class: "chart" }, heading,
          element("p", { class: "small", text: `No chart of ${panel.y} against ${panel.x}: x does not increase along the curves. See the picture.` }),
          element("div", { class: "controls" }, element("button", { type: "button", text: "Download CSV", onclick: () => download(name, this.csv()) }))));
        return;
      }
      this.xlog = panel.xlog;
      this.ylog = panel.ylog;
      this.axis = panel.axes.find((one) => one.kind === (panel.axis ?? null)) ?? { label: panel.x, kind: null };
      this.join();
      this.labels = [...new Set(panel.series.map((one) => one.label))];
      const box = element("div", { class: "chart" }, heading);
      this.plot = element("div", { class: "plot", tabindex: "0", role: "application" });
      this.readout = element("div", { class: "readout", role: "status", text: "Hover, or focus the chart and use the arrow keys, to read values." });
      box.append(this.series(), this.plot, this.readout, this.controls(name));
      place.append(box);
      this.plot.addEventListener("keydown", (event) => this.key(event));
      this.draw();
      new ResizeObserver(() => this.resize()).observe(this.plot);
    }

    // Computes the points of each series on the chosen axis. Horizontal lines span the axis. Of several points with the
    // same x, the last is kept. Series without this quantity have no points.
    join() {
      const { kind } = this.axis, { series } = this.panel;
      this.points = series.map((one) => {
        const x = kind === null ? one.x : one.along[kind];
        if (!x || one.span) return [[], []];
        if (kind === null) return [one.x, one.y];
        const last = x.map((value, i) => value !== x[i + 1]);
        return [x.filter((_, i) => last[i]), one.y.filter((_, i) => last[i])];
      });
      const ends = this.points.filter(([x]) => x.length).flatMap(([x]) => [x[0], x[x.length - 1]]);
      series.forEach((one, i) => {
        if (one.span) this.points[i] = [kind === null ? one.x : [Math.min(...ends), Math.max(...ends)], one.y];
      });
      this.data = uPlot.join(this.points);
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
        set.append(element("label", {}, box, swatch(first), label));
      }
      return set;
    }

    controls(name) {
      const scale = (axis, log) => {
        const select = element("select", { "aria-label": `${axis} axis` }, element("option", { value: "linear", text: `${axis} linear` }), element("option", { value: "log", text: `${axis} log` }));
        select.value = log ? "log" : "linear";
        select.addEventListener("change", () => {
          this[`${axis}log`] = select.value === "log";
          this.panel.changed?.(this);
          this.draw();
        });
        return select;
      };
      const button = (text, act, label) => element("button", { type: "button", text, "aria-label": label || text, onclick: act });
      return element("div", { class: "controls" }, ...this.axisSwitch(), scale("x", this.xlog), scale("y", this.ylog),
        button("+", () => this.zoom(0.5), "Zoom in"), button("−", () => this.zoom(2), "Zoom out"), button("←", () => this.pan(-0.25), "Move left"), button("→", () => this.pan(0.25), "Move right"),
        button("Reset", () => this.draw(), "Reset zoom"), button("Download CSV", () => download(name, this.csv())));
    }

    axisSwitch() {
      const { axes } = this.panel;
      if (axes.length < 2) return [];
      const select = element("select", { class: "x-axis" }, ...axes.map(({ label }, i) => element("option", { value: i, text: label })));
      select.value = axes.indexOf(this.axis);
      select.addEventListener("change", () => {
        this.axis = axes[select.value];
        this.panel.changed?.(this);
        this.at = undefined;
        this.join();
        this.draw();
      });
      return [element("label", {}, "against ", select)];
    }

    csv() {
      const rows = [["series", this.axis?.label ?? this.panel.x, this.panel.y]];
      this.panel.series.forEach((one, s) => {
        const [xs, ys] = this.points?.[s] ?? [one.x, one.y];
        if (!this.hidden.has(one.label)) xs.forEach((x, i) => rows.push([one.label, x, ys[i] ?? ""]));
      });
      return csv(rows);
    }

    // The data without values that a logarithmic axis cannot show (zero and below).
    values() {
      const [x, ...ys] = this.data;
      const keep = x.map((value) => !this.xlog || value > 0);
      const kept = (list, log) => list.filter((_, i) => keep[i]).map((value) => (log && value !== null && value !== undefined && value <= 0 ? null : value));
      return [kept(x, false), ...ys.map((list) => kept(list, this.ylog))];
    }

    draw() {
      const focus = document.activeElement === this.plot;
      this.u?.destroy();
      this.plot.setAttribute("aria-label", `${this.panel.title} ${this.panel.y} against ${this.axis.label}. Arrow keys read values.`);
      const range = this.ylog === this.panel.ylog ? this.panel.ylim : null;
      // A logarithmic axis starts at a full decade.
      const limits = !range ? null : !this.ylog ? range : range[0] > 0 ? uPlot.rangeLog(range[0], range[1], 10, true) : null;
      this.u = new uPlot({
        width: this.width(), height: 320, legend: { show: false },
        scales: {
          x: { time: false, distr: this.xlog ? 3 : 1 },
          y: { distr: this.ylog ? 3 : 1, range: limits ?? undefined },
        },
        axes: [{ label: this.axis.label, stroke: "#333", values: (u, places) => places.map(tick) }, { label: this.panel.y, stroke: "#333", size: 64 }],
        series: [{}, ...this.panel.series.map((one) => ({
          label: one.label, stroke: one.color, width: one.kind === "points" ? 0 : 1.6, dash: one.dash, spanGaps: true, show: !this.hidden.has(one.label),
          paths: one.kind === "points" ? () => null : one.steps ? uPlot.paths.stepped({ align: 1 }) : undefined, points: { show: one.kind !== "points" && one.x.length < 12, size: 5, fill: one.color },
        }))],
        cursor: { drag: { x: true, y: false } },
        hooks: { setCursor: [(u) => this.read(u.cursor.idx)], drawSeries: [(u, i) => this.marks(u, i)] },
      }, this.values(), this.plot);
      if (focus) this.plot.focus();
    }

    // Draws the points of a series with its shape; uPlot draws only circles.
    marks(u, i) {
      const one = this.panel.series[i - 1];
      if (one?.kind !== "points" || this.hidden.has(one.label)) return;
      const ratio = uPlot.pxRatio ?? window.devicePixelRatio ?? 1;
      u.ctx.save();
      u.ctx.beginPath();
      u.ctx.rect(u.bbox.left - 6 * ratio, u.bbox.top, u.bbox.width + 12 * ratio, u.bbox.height);
      u.ctx.clip();
      u.data[i].forEach((y, at) => {
        if (y !== null && y !== undefined) drawShape(u.ctx, one.mark, u.valToPos(u.data[0][at], "x", true), u.valToPos(y, "y", true), 4 * ratio, one.color, 1.5 * ratio);
      });
      u.ctx.restore();
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
        // A point has a value only at its x. A curve has a value between its first and last x.
        const places = this.points[i][0];
        if (one.kind === "points" ? !places.includes(x) : !(x >= places[0] && x <= places[places.length - 1])) return;
        let at = index;
        while (at > 0 && (this.u.data[i + 1][at] === null || this.u.data[i + 1][at] === undefined)) --at;
        const value = this.u.data[i + 1][at];
        if (value === null || value === undefined) return;
        seen.add(one.label);
        texts.push(`${one.label}: ${shown(value)}`);
      });
      this.readout.textContent = `${this.axis.label} ${shown(x)} — ${texts.join("; ")}`;
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
  // Shows the charts of figure `id` in element `place` and hides its other charts.
  const show = (id, place) => {
    for (const other of place.children) other.hidden = true;
    if (!charts[id]) {
      const own = element("div", { "data-figure": id });
      place.append(own);
      charts[id] = figures[id].map((panel, i) => new Chart(panel, `${id}-${i + 1}`, own));
    }
    for (const own of all("[data-figure]", place)) own.hidden = own.dataset.figure !== id;
    for (const one of charts[id]) one.resize();
  };
  // Used by other scripts and by tests.
  window.okbenchReport = { Chart, charts, show };
})();
