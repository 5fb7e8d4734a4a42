// Builds the pages into the package. With --check it writes nothing and fails if a built file differs from its
// sources.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./console.mjs";
import { buildGraphiQL } from "./graphiql.mjs";
import { buildWidgets } from "./widgets.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/sanya/console");
const checking = process.argv.includes("--check");
const problems = [];

for (const [folder, make] of [["widgets", buildWidgets], ["app", buildConsole], ["graphiql", buildGraphiQL]]) {
  const built = await make(here);
  problems.push(...built.problems);
  (checking ? compare : write)(join(target, folder), built.files);
  if (built.note) console.log(built.note);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length ? 1 : 0);

function write(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, text] of files) {
    writeFileSync(join(folder, name), text);
    console.log(`${name}  ${(Buffer.byteLength(text) / 1024).toFixed(1)} KB`);
  }
}

function compare(folder, files) {
  const there = new Set(readdirSync(folder));
  for (const [name, text] of files) {
    if (!there.delete(name) || readFileSync(join(folder, name), "utf8") !== text) {
      problems.push(`${name} differs from its sources. Run \`make web\`.`);
    }
  }
  for (const name of there) problems.push(`${name} has no source. Run \`make web\`.`);
}
