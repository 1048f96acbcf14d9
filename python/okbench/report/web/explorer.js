// The explorer: a table of trials or of means over seeds (Tabulator), and a chart of the chosen rows (charts.js).
// report/explorer.py describes the data. The address holds the choices, so a view can be shared.
"use strict";
(() => {
  const place = document.getElementById("explorer-data");
  if (!place || !window.Tabulator || !window.okbenchReport) return;
  const { all, element, csv, download } = okbenchPage;
  const data = JSON.parse(place.textContent);
  const get = (id) => document.getElementById(id);
  const MOST = 10; // rows drawn while none is selected
  const COLORS = ["#0072B2", "#D55E00", "#000000", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#888888"];
  const DASHES = [[], [9, 4], [2, 3], [9, 3, 2, 3], [18, 4]];

  // Choices, with their defaults. Filters are `f.FIELD`.
  const state = { experiment: "", rows: "means", chart: "curves", y: data.y[0]?.name ?? "", x: "requested", log: "x", px: "requested", py: "", group: "", sort: "", selected: "" };
  const defaults = { ...state };
  const filters = {};
  const read = () => {
    for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
      if (key.startsWith("f.")) filters[key.slice(2)] = value;
      else if (key in state) state[key] = value;
  };
  const write = () => {
    const chosen = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value !== defaults[key]) chosen.set(key, value);
    for (const [key, value] of Object.entries(filters)) if (value) chosen.set(`f.${key}`, value);
    history.replaceState(null, "", `#${chosen}`);
  };

  // The table.
  const kinds = Object.fromEntries(data.fields.map((one) => [one.name, one]));
  const text = (kind, value) => {
    if (value === null || value === undefined) return "–";
    if (kind === "percent") return `${(100 * value).toFixed(2)} %`;
    if (kind === "count") return value < 1e9 ? Math.round(value).toLocaleString("en").replaceAll(",", "\u202f") : value.toExponential(2);
    return typeof value === "number" ? String(Number(value.toPrecision(4))) : value;
  };
  // Tabulator takes texts for HTML.
  const escaped = (value) => String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const place_of = Object.fromEntries(data.fields.map((one, i) => [one.name, i]));
  // Rows of the chosen experiment, as [row, id]; all rows on a page of one experiment.
  const rowsOf = () => data[state.rows].map((row, id) => [row, id]).filter(([row]) => !state.experiment || row[place_of.experiment] === state.experiment);
  // Columns with a value in these rows. A choice of one experiment also hides columns with one value.
  const shownFields = () => {
    const rows = rowsOf();
    return data.fields.filter((one) => (state.rows === "means" ? one.name !== "seed" : one.name !== "seeds" && !/ (low|high)$/.test(one.name)))
      .filter((one) => !state.experiment || one.name === "label" || (one.name !== "experiment" && new Set(rows.map(([row]) => row[place_of[one.name]])).size > 1));
  };
  const records = () => rowsOf().map(([row, id]) => ({ id, ...Object.fromEntries(data.fields.map((one, i) => [one.name, row[i]])) }));
  // Filters of numbers are comparisons such as "<0.1"; a plain number must be equal. Others are parts of the text.
  const matches = (wanted, value, kind) => {
    const found = /^\s*(<=|>=|<|>|=)?\s*(-?[\d.]+(?:e[-+]?\d+)?)\s*(%?)\s*$/i.exec(wanted);
    if (kind === "text" || !found) return String(value ?? "").toLowerCase().includes(wanted.toLowerCase());
    const limit = Number(found[2]) / (found[3] ? 100 : 1);
    if (value === null) return false;
    return { "<": value < limit, ">": value > limit, "<=": value <= limit, ">=": value >= limit }[found[1]] ?? Number(value) === limit;
  };
  const columns = () => shownFields().map(({ name, title, kind }) => ({
    title: escaped(title), field: name, sorter: kind === "text" ? "string" : "number", sorterParams: { alignEmptyValues: "bottom" },
    hozAlign: kind === "text" ? "left" : "right", headerHozAlign: kind === "text" ? "left" : "right",
    formatter: (cell) => document.createTextNode(text(kind, cell.getValue())),
    headerFilter: "input", headerFilterParams: { elementAttributes: { "aria-label": `filter ${title}` } }, headerFilterPlaceholder: kind === "text" ? "contains" : "e.g. <0.1", headerFilterFunc: (wanted, value) => matches(wanted, value, kind), headerFilterLiveFilter: true,
    minWidth: kind === "text" ? 110 : 84, frozen: name === "label" && window.innerWidth > 700,
  }));
  let table, chart, chosen = [];
  // Enter and the space bar act on the focused row or title.
  const acts = new Map();
  get("explorer-table").addEventListener("keydown", (event) => {
    const row = event.target.matches(".tabulator-row") && table.getRows().find((one) => one.getElement() === event.target);
    const act = row ? () => row.toggleSelect() : acts.get(event.target);
    if (!act || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    act();
  });
  const button = (node, title, act) => {
    node.tabIndex = 0;
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", title);
    acts.set(node, act);
  };
  const selected = () => (state.selected ? state.selected.split(".").map(Number) : []);
  const build = () => {
    table?.destroy();
    const [field, direction] = state.sort.split(":");
    const known = shownFields().some((one) => one.name === field);
    table = new Tabulator("#explorer-table", {
      data: records(), columns: columns(), layout: "fitDataStretch", height: rowsOf().length > 12 ? "26rem" : undefined, selectableRows: true,
      groupHeader: (value, count) => `${escaped(value ?? "–")} <span>(${count})</span>`,
      groupBy: state.group && shownFields().some((one) => one.name === state.group) ? state.group : undefined,
      initialSort: known ? [{ column: field, dir: direction === "desc" ? "desc" : "asc" }] : [],
      initialHeaderFilter: Object.entries(filters).filter(([name]) => shownFields().some((one) => one.name === name)).map(([name, value]) => ({ field: name, value })),
      placeholder: "No row matches the filters", columnHeaderVertAlign: "bottom", rowFormatter: (row) => { row.getElement().tabIndex = 0; },
    });
    table.on("tableBuilt", () => {
      // Rows are reached by Tab. A grid must not have another element that is.
      document.querySelector("#explorer-table .tabulator-tableholder").removeAttribute("tabindex");
      for (const id of selected()) if (table.getRow(id)) table.getRow(id).select();
      for (const column of table.getColumns()) button(column.getElement().querySelector(".tabulator-col-title"), `sort by ${column.getDefinition().title}`, () => {
        const [now] = table.getSorters();
        table.setSort(column.getField(), now?.field === column.getField() && now.dir === "asc" ? "desc" : "asc");
      });
      follow();
    });
    // A redraw, as on a new width of the window, takes rows out of the page and puts them back: the focus stays.
    let focused = null;
    table.on("renderStarted", () => { focused = document.activeElement?.matches(".tabulator-row") ? document.activeElement : null; });
    table.on("renderComplete", () => {
      if (focused?.isConnected) focused.focus({ preventScroll: true });
      focused = null;
    });
    table.on("rowSelectionChanged", (rows) => {
      state.selected = rows.map((row) => row.id).sort((a, b) => a - b).join(".");
      changed();
    });
    table.on("dataFiltered", (now) => {
      for (const key of Object.keys(filters)) delete filters[key];
      for (const one of now) if (one.value) filters[one.field] = one.value;
      changed();
    });
    table.on("dataSorted", (sorters) => {
      state.sort = sorters.length ? `${sorters[0].field}:${sorters[0].dir}` : "";
      changed();
    });
  };
  let waiting;
  const changed = () => {
    clearTimeout(waiting);
    waiting = setTimeout(follow, 60);
  };
  const follow = () => {
    const active = table.getData("active"), wanted = new Set(selected());
    const rows = wanted.size ? rowsOf().map(([, id]) => id).filter((id) => wanted.has(id)) : active.slice(0, MOST).map((one) => one.id);
    get("explorer-status").textContent = `${active.length} of ${rowsOf().length} rows; the chart shows ${wanted.size ? `the ${rows.length} selected` : `the first ${rows.length}`}.`;
    write();
    if (String(rows) !== String(chosen) || !chart) {
      chosen = rows;
      draw();
    }
  };

  // The chart.
  const field = (id, name) => data[state.rows][id][data.fields.findIndex((one) => one.name === name)];
  const label = (id) => {
    const shown = new Set(shownFields().map((one) => one.name));
    const parts = ["label", "experiment", "data"].filter((name) => shown.has(name)).map((name) => field(id, name));
    const varied = data.fields.filter((one) => !["text", "percent"].includes(one.kind) && field(id, one.name) !== null && !String(field(id, one.name)).includes(", ")).map((one) => one.name)
      .filter((name) => parameter.has(name)).map((name) => `${kinds[name].title}=${text(kinds[name].kind, field(id, name))}`);
    return [parts[0], varied.length ? `(${varied.join(", ")})` : "", parts.length > 1 ? `[${parts.slice(1).join(", ")}]` : "", state.rows === "trials" ? `seed ${field(id, "seed")}` : ""].filter(Boolean).join(" ");
  };
  const parameter = new Set(data.fields.map((one) => one.name).filter((name) => name.startsWith("param_") || name === "batch"));
  // The curve of a trial, or the mean of the curves of a row's trials if they have equally many points.
  const curve = (id) => {
    const own = (state.rows === "means" ? data.members[id] : [id]).map((trial) => data.curves[trial][state.y]).filter(Boolean);
    if (!own.length) return null;
    const lists = own.map((one) => one.map((index) => data.lists[index]));
    const same = lists.filter((one) => one[0].length === lists[0][0].length);
    return lists[0].map((_, k) => same[0][k].map((_, i) => {
      const values = same.map((one) => one[k][i]).filter((value) => value !== null);
      return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
    }));
  };
  const style = (i) => ({ color: COLORS[i % COLORS.length], dash: DASHES[Math.floor(i / COLORS.length + i) % DASHES.length] });
  const curves = () => {
    const axes = data.x.map(({ name, title }) => ({ name, label: title, kind: title }));
    const series = chosen.flatMap((id, i) => {
      const found = curve(id);
      if (!found) return [];
      const along = Object.fromEntries(data.x.map(({ title }, k) => [title, found[k]]));
      return [{ label: label(id), kind: "solid", span: false, x: found[0], y: found[found.length - 1], along, ...style(i) }];
    });
    const y = data.y.find((one) => one.name === state.y);
    return { title: "", x: data.x[0].title, y: y?.title ?? "", axes, axis: data.x.find((one) => one.name === state.x)?.title, series, ylim: null };
  };
  const scatter = () => {
    const groups = new Map();
    for (const id of chosen) {
      const [x, y] = [field(id, state.px), field(id, state.py)];
      if (typeof x !== "number" || typeof y !== "number") continue;
      const name = field(id, "label") ?? "all";
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push([kinds[state.px].kind === "percent" ? 100 * x : x, kinds[state.py].kind === "percent" ? 100 * y : y]);
    }
    const title = (name) => kinds[name] ? `${kinds[name].title}${kinds[name].kind === "percent" ? " (%)" : ""}` : name;
    const series = [...groups].map(([name, points], i) => {
      points.sort((a, b) => a[0] - b[0]);
      return { label: name, kind: "points", mark: i % 6, span: false, x: points.map((one) => one[0]), y: points.map((one) => one[1]), along: {}, ...style(i) };
    });
    return { title: "", x: title(state.px), y: title(state.py), axes: [], series, ylim: null };
  };
  const draw = () => {
    const panel = state.chart === "curves" ? curves() : scatter();
    get("explorer-chart").replaceChildren();
    if (!panel.series.length) {
      get("explorer-chart").append(element("p", { class: "missing", text: "These rows have no values for this chart." }));
      chart = null;
      return;
    }
    const log = state.log.split(",");
    Object.assign(panel, { path: false, xlog: log.includes("x"), ylog: log.includes("y") });
    panel.changed = (one) => {
      state.log = ["x", "y"].filter((axis) => one[`${axis}log`]).join(",");
      if (state.chart === "curves") state.x = one.axis.name ?? state.x;
      write();
    };
    chart = new okbenchReport.Chart(panel, "okbench-curves", get("explorer-chart"));
  };

  // Controls.
  const options = (select, pairs, value) => {
    select.replaceChildren(...pairs.map(([key, title]) => element("option", { value: key, text: title })));
    select.value = value;
  };
  const numeric = data.fields.filter((one) => one.kind !== "text" && !["seed"].includes(one.name)).map((one) => [one.name, one.title]);
  const experiments = [...new Set(data.trials.map((row) => row[place_of.experiment]))];
  const errors = numeric.map(([name]) => name);
  const controls = () => {
    // Only quantities that some chosen trial has.
    const trials = rowsOf().flatMap(([, id]) => (state.rows === "means" ? data.members[id] : [id]));
    const drawn = data.y.filter((one) => trials.some((trial) => data.curves[trial][one.name]));
    if (drawn.length && !drawn.some((one) => one.name === state.y)) state.y = drawn[0].name;
    options(get("explorer-y"), drawn.map((one) => [one.name, one.title]), state.y);
    options(get("explorer-px"), numeric, state.px);
    options(get("explorer-py"), numeric, state.py);
    options(get("explorer-group"), [["", "none"], ...data.fields.filter((one) => one.kind === "text" || parameter.has(one.name)).map((one) => [one.name, one.title])], state.group);
    get("explorer-rows").value = state.rows;
    get("explorer-kind").value = state.chart;
    for (const node of all(".of-curves")) node.hidden = state.chart !== "curves";
    for (const node of all(".of-points")) node.hidden = state.chart !== "points";
  };
  const on = (id, key, act) => get(id).addEventListener("change", (event) => {
    state[key] = event.target.value;
    act();
    write();
  });
  // Visible cells as texts, with the header first.
  const cells = (raw) => {
    const shown = shownFields();
    return [shown.map((one) => one.title), ...table.getData("active").map((row) => shown.map(({ name, kind }) => (raw ? row[name] ?? "" : text(kind, row[name]))))];
  };
  const tex = (cell) => String(cell).replace(/[\\{}$&#_%^~]/g, (c) => ({ "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" })[c] ?? `\\${c}`).replaceAll("\u202f", "\\,").replaceAll("–", "--");
  const latex = () => {
    const [head, ...body] = cells(false), aligned = shownFields().map((one) => (one.kind === "text" ? "l" : "r")).join("");
    const lines = (rows) => rows.map((row) => `${row.map(tex).join(" & ")} \\\\`).join("\n");
    return `\\begin{tabular}{${aligned}}\n\\toprule\n${lines([head])}\n\\midrule\n${lines(body)}\n\\bottomrule\n\\end{tabular}\n`;
  };

  const first = ["test_error", "test_rmse", "test_task_loss", "error_rate", "rmse", "task_loss"].find((name) => name in kinds);
  const preferred = place.dataset.primary || first || errors[0];
  defaults.py = state.py = preferred;
  defaults.sort = state.sort = `${preferred}:asc`;
  if (!(state.px in kinds)) defaults.px = state.px = errors[0];
  if ("experiment" in place_of) defaults.experiment = state.experiment = experiments[0];
  read();
  // A view without a chosen experiment, but with filters, is one of all experiments.
  if (!new URLSearchParams(location.hash.slice(1)).has("experiment") && Object.keys(filters).length) state.experiment = "";
  if (!["means", "trials"].includes(state.rows)) state.rows = "means";
  if (!("experiment" in place_of) || !experiments.includes(state.experiment)) state.experiment = "";
  get("explorer").hidden = false;
  controls();
  on("explorer-rows", "rows", () => { state.selected = ""; chosen = []; build(); });
  if ("experiment" in place_of) {
    options(get("explorer-experiment"), [...experiments.map((name) => [name, data.titles[name] ? `${name}: ${data.titles[name]}` : name]), ["", "all experiments"]], state.experiment);
    get("explorer-experiment").closest("label").hidden = false;
    on("explorer-experiment", "experiment", () => {
      Object.assign(state, { selected: "", group: "" });
      for (const key of Object.keys(filters)) delete filters[key];
      chosen = [];
      controls();
      build();
    });
  }
  on("explorer-group", "group", build);
  on("explorer-kind", "chart", () => { controls(); draw(); });
  on("explorer-y", "y", draw);
  on("explorer-px", "px", draw);
  on("explorer-py", "py", draw);
  get("explorer-clear").addEventListener("click", () => table.deselectRow());
  get("explorer-csv").addEventListener("click", () => download("okbench-trials", csv(cells(true))));
  get("explorer-tex").addEventListener("click", () => download("okbench-trials", latex(), "tex"));
  build();
  // For tests.
  window.okbenchExplorer = { state, latex, cells, table: () => table, chart: () => chart, chosen: () => chosen };
})();
