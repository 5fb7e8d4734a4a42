// One visit of the official TypeScript client, told as one line of JSON.
// node client.mjs PACKAGE ERA URL            over HTTP
// node client.mjs PACKAGE ERA -- COMMAND …   over stdio
// PACKAGE is `client` (v2, both eras) or `sdk` (v1, the older era).
const [name, era, ...target] = process.argv.slice(2);

const v1 = name === "sdk";
const { Client } = await import(v1 ? "@modelcontextprotocol/sdk/client/index.js" : "@modelcontextprotocol/client");
const { StreamableHTTPClientTransport } = await import(
  v1 ? "@modelcontextprotocol/sdk/client/streamableHttp.js" : "@modelcontextprotocol/client"
);
const { StdioClientTransport } = await import(
  v1 ? "@modelcontextprotocol/sdk/client/stdio.js" : "@modelcontextprotocol/client/stdio"
);

const [command, ...args] = target.slice(1);
const transport =
  target[0] === "--"
    ? new StdioClientTransport({ command, args, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(target[0]));
const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
const client = new Client({ name: "visitor", version: "1" }, v1 ? {} : { versionNegotiation: { mode } });

await client.connect(transport);
const { tools } = await client.listTools();
const answered = await client.callTool({ name: "get_tasks", arguments: { limit: 2 } });
const refused = await client.callTool({ name: "get_tasks", arguments: { limit: 0 } });
const unknown = await client.callTool({ name: "get_nothing", arguments: {} }).then(
  () => null,
  (error) => error.code,
);
const prompts = await client.listPrompts();
const version = v1 ? transport.protocolVersion : client.getNegotiatedProtocolVersion();
await client.close();
console.log(
  JSON.stringify({
    version: version ?? null,
    server: client.getServerVersion()?.name ?? null,
    tools: tools.map((tool) => tool.name),
    prompts: prompts.prompts.length,
    answered,
    refused,
    unknown,
  }),
);
