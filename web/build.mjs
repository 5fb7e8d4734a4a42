// Builds every page into one self-contained HTML file of the package. With --check it writes nothing and fails where a
// built file is not what its sources give.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/sanya/console/widgets");
const mostBytes = 150 * 1024;
const pages = {
  "rmf-fund-list": "Thai retirement funds",
  "rmf-fund-card": "Thai retirement fund",
  "rmf-performance-chart": "NAV of a Thai retirement fund",
  "rmf-fund-comparison": "Thai retirement funds compared",
};

const bundled = await build({
  entryPoints: [join(here, "src/main.tsx")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  write: false,
  outdir: "out",
  legalComments: "none",
  define: { "process.env.NODE_ENV": '"production"' },
});
const text = (extension) => bundled.outputFiles.find((file) => file.path.endsWith(extension)).text.trim();
// A script's text may not contain its own end.
const script = text(".js").replaceAll("</script", "<\\/script");
const style = text(".css");
const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const page = (name, title) => `<!doctype html>
<html lang="en" data-page="${name}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<script>${script}</script>
</body>
</html>
`;

const checking = process.argv.includes("--check");
let wrong = 0;
mkdirSync(target, { recursive: true });
for (const [name, title] of Object.entries(pages)) {
  const file = join(target, `${name}.html`);
  const html = page(name, title);
  const bytes = Buffer.byteLength(html);
  if (bytes > mostBytes) {
    console.error(`${name}: ${bytes} bytes, at most ${mostBytes}`);
    wrong += 1;
  }
  if (!checking) {
    writeFileSync(file, html);
    console.log(`${name}.html  ${(bytes / 1024).toFixed(1)} KB`);
  } else if (readIfThere(file) !== html) {
    console.error(`${name}.html is not what its sources give; run: cd web && npm ci && npm run build`);
    wrong += 1;
  }
}
process.exit(wrong ? 1 : 0);

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
