// Builds every widget as a self-contained HTML file.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";

const mostBytes = 150 * 1024;
const pages = {
  "rmf-fund-list": "Thai retirement funds",
  "rmf-fund-card": "Thai retirement fund",
  "rmf-performance-chart": "NAV of a Thai retirement fund",
  "rmf-fund-comparison": "Thai retirement funds compared",
};

/** Returns the files by name, and problems. */
export async function buildWidgets(here) {
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
  // A script must not contain its own end tag.
  const script = text(".js").replaceAll("</script", "<\\/script");
  const style = text(".css");
  const files = new Map();
  const problems = [];
  for (const [name, title] of Object.entries(pages)) {
    const html = page(name, title, script, style);
    if (Buffer.byteLength(html) > mostBytes) problems.push(`${name}: ${Buffer.byteLength(html)} bytes, at most ${mostBytes}`);
    files.set(`${name}.html`, html);
  }
  return { files, problems };
}

const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

function page(name, title, script, style) {
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
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
}
