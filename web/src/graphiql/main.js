// GraphiQL for this server's /graphql. A key goes into the headers editor and stays in the tab.
import { createGraphiQLFetcher } from "@graphiql/toolkit";
import { GraphiQL } from "graphiql";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import "graphiql/graphiql.css";
import "./page.css";

const welcome = `# Every read tool is a field. The arrow runs the query; Ctrl-Space completes.
# If the server needs a key, put it into Headers below: {"Authorization": "Bearer …"}

query Tasks {
  get_tasks(limit: 3) {
    items { id title status due_at }
    next_cursor
  }
}
`;

const fetcher = createGraphiQLFetcher({ url: "/graphql" });
const place = document.getElementById("page");
if (place) {
  const options = { fetcher, defaultQuery: welcome, isHeadersEditorEnabled: true, shouldPersistHeaders: false };
  createRoot(place).render(createElement(GraphiQL, options));
}
