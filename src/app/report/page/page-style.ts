// The style of the page: no font, picture or address from outside.

const LIGHT = `--back:#f6f7f8;--card:#fff;--text:#1c2127;--dim:#5c6670;--line:#e3e6ea;--soft:#eef0f3;
--verified:#1a7f4b;--worked:#5a7389;--waived:#7d5bb5;--unbacked:#a86a08;--contradicted:#c2362b;--none:#8b949e;
--open:#2867c9;--tick:#7d8894;--band:#f1f4f8`;
const DARK = `--back:#0e1116;--card:#161b22;--text:#e6eaf0;--dim:#9aa5b1;--line:#2a313a;--soft:#1f262e;
--verified:#3fb97a;--worked:#8ba3ba;--waived:#b795ea;--unbacked:#e0a33c;--contradicted:#f4746a;--none:#7d8894;
--open:#6ea8ff;--tick:#8793a0;--band:#1a212a`;

const BASE = `*{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--text);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1120px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:24px;line-height:1.25;margin:0;letter-spacing:-.01em}
h2{font-size:18px;line-height:1.35;margin:0;overflow-wrap:anywhere}
h3{font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--dim);margin:24px 0 8px;font-weight:600}
p{margin:4px 0}
.dim{color:var(--dim)}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px 24px;margin-top:20px}
.wide{overflow-x:auto}
footer{margin-top:32px;font-size:13px;color:var(--dim)}`;

const TILES = `.tiles{display:grid;grid-template-columns:repeat(var(--columns),1fr);gap:12px;margin-top:20px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 16px}
.tile b{display:block;font-size:22px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}
.tile span{font-size:13px;color:var(--dim)}
.split{display:flex;height:10px;border-radius:5px;overflow:hidden;background:var(--soft);gap:2px;margin:16px 0 8px}
.split i{display:block;min-width:4px}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px;color:var(--dim);padding:0;margin:8px 0 0;
list-style:none}
.legend b{font-weight:600}
.v{font-weight:600;white-space:nowrap}`;

const TABLES = `table{border-collapse:collapse;width:100%;font-size:14px}
th{font-size:12px;text-align:left;color:var(--dim);font-weight:600;padding:4px 12px 4px 0;
border-bottom:1px solid var(--line)}
td{padding:8px 12px 8px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}
th:last-child,td:last-child{padding-right:0}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;overflow-wrap:normal}
td small{display:block;color:var(--dim);font-size:13px}
.gone{opacity:.65}
summary{cursor:pointer;padding:4px 0;font-weight:600}
summary p{font-weight:400}
.pair{display:grid;grid-template-columns:3fr 2fr;gap:20px}
.pair>:only-child{grid-column:1/-1}
.card h2+table{margin-top:8px}
summary::marker{color:var(--dim)}
details.calls{margin-top:20px}
.chunk{content-visibility:auto;contain-intrinsic-size:auto 6400px}
.chunk table{table-layout:fixed;font-size:13px}
.chunk td{padding:4px 8px 4px 0;height:32px}
.chunk td:nth-child(1){width:78px}.chunk td:nth-child(2){width:150px}.chunk td:nth-child(4){width:62px}
.chunk td:nth-child(5){width:130px}`;

const TIMELINE = `.time{overflow-x:auto;margin:8px -8px 0;padding:0 8px 4px;scrollbar-width:thin}
.time:focus-visible{outline:2px solid var(--open);border-radius:8px}
.plot{position:relative;min-width:680px;display:grid;grid-template-columns:220px 1fr;font-size:13px}
.plot>div{min-height:26px;display:flex;align-items:center}
.plot .name{padding-right:12px;min-width:0;gap:6px;position:sticky;left:-8px;padding-left:8px;margin-left:-8px;
background:var(--card);z-index:2}
.plot .name span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.plot .track{position:relative}
.back{position:absolute;left:220px;right:0;top:0;bottom:0;width:calc(100% - 220px);height:100%}
.plot .axis{height:24px;color:var(--dim);font-size:12px;font-variant-numeric:tabular-nums}
.axis span{position:absolute;white-space:nowrap;transform:translateX(-50%)}
.axis span:first-child{transform:none}.axis span.last{transform:translateX(-100%)}
.bar{position:absolute;height:14px;border-radius:4px;min-width:3px;top:6px}
.bar.runs{background-image:repeating-linear-gradient(135deg,transparent 0 5px,rgba(255,255,255,.35) 5px 10px)}
.mark{position:absolute;transform:translateX(-50%);font-size:14px;line-height:1;color:var(--unbacked)}
.track svg{position:absolute;inset:0;width:100%;height:100%}
svg path{vector-effect:non-scaling-stroke;fill:none}
.t-work{stroke:var(--tick);stroke-width:1px;opacity:.75}
.t-edit{stroke:var(--open);stroke-width:1.5px}
.t-fail{stroke:var(--contradicted);stroke-width:2px}
.c-pass{stroke:var(--verified);stroke-width:7px;stroke-linecap:round}
.c-fail{stroke:var(--contradicted);stroke-width:7px;stroke-linecap:square}
.c-none{stroke:var(--none);stroke-width:5px;stroke-linecap:round}
svg path.band{fill:var(--band);stroke:none}
.pack{stroke:var(--waived);stroke-width:1.5px;stroke-dasharray:4 3}
svg path.pause{fill:var(--card);stroke:none}
.keys i{display:inline-block;margin-right:5px;vertical-align:middle}
.k-work{width:2px;height:12px;background:var(--tick)}.k-edit{width:2px;height:12px;background:var(--open)}
.k-fail{width:3px;height:12px;background:var(--contradicted)}
.k-pass{width:9px;height:9px;border-radius:50%;background:var(--verified)}
.k-red{width:9px;height:9px;background:var(--contradicted)}
.k-pack{height:14px;border-left:2px dashed var(--waived)}
.k-turn{width:14px;height:12px;background:var(--band);border:1px solid var(--line)}`;

const SMALL = `@media(max-width:640px){main{padding:20px 14px 48px}.card{padding:16px 14px;border-radius:10px}
.tiles{grid-template-columns:1fr 1fr;gap:8px}.tile{padding:10px 12px}.tile b{font-size:19px}
.less{display:none}.pair{display:block}.plot{grid-template-columns:130px 1fr;min-width:560px}
.back{left:130px;width:calc(100% - 130px)}.chunk td:nth-child(2){width:84px}.chunk td:nth-child(1){width:66px}
td{padding-right:8px}}
@media print{.card,.tile{break-inside:avoid}body{background:#fff}}`;

const VERDICTS = ["verified", "worked", "waived", "unbacked", "contradicted", "none", "open"]
  .map((name) => `.is-${name}{color:var(--${name})}.of-${name}{background-color:var(--${name})}`)
  .join("");

export const PAGE_STYLE = `:root{${LIGHT}}@media(prefers-color-scheme:dark){:root{${DARK}}}
${[BASE, TILES, TABLES, TIMELINE, VERDICTS, SMALL].join("\n")}`;
