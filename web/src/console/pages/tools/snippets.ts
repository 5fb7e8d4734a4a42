// A call as a code snippet.
import { stringify } from "../../parts/json";
import type { Arguments } from "./contract";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function asCurl(tool: string, args: Arguments, needsKey: boolean): string {
  const key = needsKey ? ` \\\n  -H "authorization: Bearer $SANYA_KEY"` : "";
  return `curl ${location.origin}/tools/${encodeURIComponent(tool)} \\\n  -H 'content-type: application/json'${key} \\\n  -d ${quoted(stringify({ args }, 0))}`;
}

export function asPython(tool: string, args: Arguments, needsKey: boolean): string {
  const key = needsKey ? `\n    headers={"authorization": f"Bearer {os.environ['SANYA_KEY']}"},` : "";
  return `${needsKey ? "import os\n\n" : ""}import httpx

answer = httpx.post(
    "${location.origin}/tools/${encodeURIComponent(tool)}",
    json={"args": ${asLiteral(args, 1)}},${key}
    timeout=60,
).json()
print(answer["data"] if answer["ok"] else answer["error"])`;
}

export function asMcp(tool: string, args: Arguments): string {
  return stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } });
}

/** Formats a value as a Python literal: like JSON, except for None, True and False. */
function asLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = "    ".repeat(depth + 1);
  const outer = "    ".repeat(depth);
  const parts = Array.isArray(value)
    ? value.map((item) => asLiteral(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${asLiteral(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const flat = `${open}${parts.join(", ")}${close}`;
  return flat.length <= 70 ? flat : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${outer}${close}`;
}
