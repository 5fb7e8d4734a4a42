// Builds GraphiQL as a page of its own with a script and a style sheet.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const mostBytes = 1500 * 1024;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>GraphQL — Sanya</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphiql/{build}/main.css">
<script type="module" src="/graphiql/{build}/main.js"></script>
</head>
<body>
<div id="page"></div>
</body>
</html>
`;

export async function buildGraphiQL(here) {
  const bundled = await build({
    absWorkingDir: here,
    entryPoints: [join(here, "src/graphiql/main.js")],
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    write: false,
    metafile: true,
    outdir: "out",
    entryNames: "main",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = new Map([["index.html", page], ["NOTICE.txt", notice(here, Object.keys(bundled.metafile.inputs))]]);
  for (const file of bundled.outputFiles) files.set(basename(file.path), withoutFonts(file.text));
  const bytes = Buffer.byteLength(files.get("main.js"));
  const problems = bytes > mostBytes ? [`graphiql/main.js: ${bytes} bytes, at most ${mostBytes}`] : [];
  return { files, problems };
}

// Its fonts are four fifths of its style sheet; system fonts do as well.
function withoutFonts(text) {
  return text.replace(/@font-face\{[^}]*\}/g, "");
}

// The licences require that names and terms accompany the code.
function notice(here, inputs) {
  const names = new Set();
  for (const input of inputs) {
    const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[0]);
  }
  const parts = [...names].map((folder) => {
    const about = JSON.parse(readFileSync(join(here, folder, "package.json"), "utf8"));
    return `${about.name} ${about.version} (${about.license})\n${licence(join(here, folder))}`;
  });
  return `GraphiQL's page is built from these packages.\n\n${parts.sort().join("\n\n")}\n`;
}

function licence(folder) {
  for (const name of ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "license.md", "LICENCE"]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {
      continue;
    }
  }
  return "Its terms are those that package.json names.";
}
