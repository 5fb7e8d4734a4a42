import { formatDuration } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { Badge, Card, type Column, Facts, Table } from "../../parts";
import { type FieldRow, type Schema, type ToolContract, fieldRows } from "./contract";
import { TEXTS } from "./texts";

export function ContractCard({ tool }: { tool: ToolContract }) {
  const texts = useTexts(TEXTS);
  const language = useLanguage();
  const codes = (all: string[]) => (
    <span class="row tight">
      {all.map((code) => (
        <code key={code}>{code}</code>
      ))}
    </span>
  );
  return (
    <Card title={texts.contract}>
      <div class="stack">
        <Facts
          facts={[
            [texts.scopes, codes(tool.scopes)],
            [texts.time, formatDuration(tool.timeout_ms, language)],
            [texts.errors, codes(tool.errors)],
            ...(tool.portable_name === tool.name ? [] : [[texts.also, <code>{tool.portable_name}</code>] as [string, preact.JSX.Element]]),
          ]}
        />
        <Fields title={texts.takes} schema={tool.input_schema} file={`${tool.name}-input`} open />
        <Fields title={texts.answers} schema={tool.output_schema} file={`${tool.name}-output`} />
      </div>
    </Card>
  );
}

function Fields({ title, schema, file, open }: { title: string; schema: Schema; file: string; open?: boolean }) {
  const texts = useTexts(TEXTS);
  const columns: Column<FieldRow>[] = [
    {
      name: "path",
      title: texts.field,
      value: (row) => row.path,
      show: (row) => (
        <>
          <code>{row.path}</code> {row.required && <Badge>{texts.required}</Badge>}
        </>
      ),
    },
    { name: "kind", title: texts.kind, value: (row) => row.kind, show: (row) => row.kind },
    { name: "bounds", title: texts.bounds, value: (row) => row.bounds, show: (row) => <span class="bounds">{row.bounds}</span> },
    { name: "means", title: texts.means, value: (row) => row.description, show: (row) => row.description },
  ];
  return (
    <details class="contract-fields" open={open}>
      <summary>{title}</summary>
      <Table label={title} columns={columns} rows={fieldRows(schema, texts.boundWords)} keyOf={(row) => row.path} file={file} />
    </details>
  );
}
