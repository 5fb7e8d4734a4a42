// Builds the console: an entry script, and one script for each page, loaded on first use.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const mostFirstBytes = 76 * 1024;

export async function buildConsole(here) {
  const source = join(here, "src/console");
  const common = {
    bundle: true,
    minify: true,
    target: ["es2022"],
    write: false,
    outdir: "out",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
  };
  const shell = await build({
    ...common,
    entryPoints: [join(source, "main.tsx")],
    format: "esm",
    splitting: true,
    metafile: true,
    chunkNames: "[name]-[hash]",
  });
  const early = await build({ ...common, entryPoints: [join(source, "early.ts")], format: "iife" });
  const files = new Map();
  for (const file of [...shell.outputFiles, ...early.outputFiles]) files.set(basename(file.path), file.text);
  const first = firstScripts(shell.metafile.outputs, files);
  const preloads = first.map((name) => `<link rel="modulepreload" href="/console/{build}/${name}">`).join("\n");
  files.set("index.html", readFileSync(join(source, "index.html"), "utf8").replace("{preloads}", preloads));
  files.set("icon.svg", readFileSync(join(source, "icon.svg"), "utf8"));
  const bytes = ["early.js", ...first].reduce((sum, name) => sum + Buffer.byteLength(files.get(name)), 0);
  const problems = bytes > mostFirstBytes ? [`The first view loads ${bytes} bytes of script; the limit is ${mostFirstBytes}.`] : [];
  return { files, problems, note: `first view ${(bytes / 1024).toFixed(1)} KB of script` };
}

/** Lists the scripts of the first view: the entry, the home page, and their imports. The page preloads them
 * all, so that they load in parallel. */
function firstScripts(outputs, files) {
  const pending = ["main.js", ...[...files.keys()].filter((name) => /^home-.*\.js$/.test(name))];
  const seen = new Set();
  while (pending.length) {
    const name = pending.pop();
    if (seen.has(name)) continue;
    seen.add(name);
    const output = Object.entries(outputs).find(([path]) => basename(path) === name)?.[1];
    for (const entry of output?.imports ?? []) if (entry.kind === "import-statement") pending.push(basename(entry.path));
  }
  return [...seen];
}
