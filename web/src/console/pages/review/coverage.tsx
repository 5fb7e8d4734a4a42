// Coverage as a heat map: herbs or formulations as rows, classes of drugs as columns.
import { useState } from "preact/hooks";
import { formatCount } from "../../format";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Card, CheckField, Choices, Dialog, type FileRow, LoadedView, SavedTable } from "../../parts";
import { buildHref, navigate } from "../../router";
import { StatementRows } from "./rows";
import { type CoverageCell, type CoverageGrid, EVIDENCE, type NamedNode, SEVERITIES, loadCoverage, loadQueue } from "./statements";
import { REVIEW } from "./texts";

type Shade = "severity" | "evidence";
type GridRow = CoverageGrid["rows"][number];
type GridColumn = CoverageGrid["columns"][number];

interface Chosen {
  herb: NamedNode;
  drugs: NamedNode;
  cell: CoverageCell;
}

export function Coverage({ params }: { params: URLSearchParams }) {
  const texts = useTexts(REVIEW);
  const type = params.get("type") === "formulation" ? "formulation" : "herb";
  const classes = params.get("classes") === "all" ? "all" : "usual";
  const shade: Shade = params.get("shade") === "evidence" ? "evidence" : "severity";
  const loaded = useLoaded((signal) => loadCoverage(type, signal), [type]);
  const [withSilent, setWithSilent] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const change = (changed: Record<string, string>) => navigate(buildHref("review", ["coverage"], { type: type === "herb" ? "" : type, classes: classes === "usual" ? "" : classes, shade: shade === "severity" ? "" : shade, ...changed }), true);
  return (
    <LoadedView loaded={loaded}>
      {(grid) => {
        const columns = grid.columns.flatMap((column, index) => (classes === "all" || column.usual ? [{ column, index }] : []));
        const covered = grid.rows.filter((row) => Object.keys(row.cells).length > 0);
        return (
          <div class="stack">
            <div class="coverage-choices">
              <Choices label={texts.rows} value={type} options={[["herb", texts.herbs], ["formulation", texts.formulations]]} onValue={(value) => change({ type: value === "herb" ? "" : value })} />
              <Choices label={texts.columns} value={classes} options={[["usual", texts.usual], ["all", texts.allClasses]]} onValue={(value) => change({ classes: value === "usual" ? "" : value })} />
              <Choices label={texts.shade} value={shade} options={[["severity", texts.severity], ["evidence", texts.evidence]]} onValue={(value) => change({ shade: value === "severity" ? "" : value })} />
            </div>
            <Card>
              <Legend shade={shade} />
              <HeatMap rows={withSilent ? grid.rows : covered} columns={columns} shade={shade} onChoose={setChosen} />
              <Totals grid={grid} covered={covered} columns={columns} />
              <CheckField label={texts.silent.replace("{n}", String(grid.rows.length - covered.length))} checked={withSilent} onValue={setWithSilent} />
              {type === "formulation" && <p class="hint">{texts.own}</p>}
            </Card>
            {chosen && <CellStatements chosen={chosen} onClose={() => setChosen(null)} />}
          </div>
        );
      }}
    </LoadedView>
  );
}

interface IndexedColumn {
  column: GridColumn;
  index: number;
}

function HeatMap({ rows, columns, shade, onChoose }: { rows: GridRow[]; columns: IndexedColumn[]; shade: Shade; onChoose(chosen: Chosen): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const toFile = () =>
    rows.flatMap((row) =>
      columns.flatMap(({ column, index }): FileRow[] => {
        const cell = row.cells[index];
        return cell ? [{ id: row.id, name: row[language], class_id: column.id, class: column[language], severity: cell.severity, evidence: cell.evidence, statements: cell.statements.join(" "), open: cell.open }] : [];
      }),
    );
  return (
    <SavedTable label={texts.grid} file="coverage" rows={toFile} frameClass="heat">
        <thead>
          <tr>
            <td />
            {columns.map(({ column }) => (
              <th key={column.id} scope="col">
                <span>{column[language]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={buildHref("herbs", [row.type, row.id])}>{row[language]}</a>
              </th>
              {columns.map(({ column, index }) => (
                <HeatCell key={column.id} row={row} column={column} cell={row.cells[index]} shade={shade} onChoose={onChoose} />
              ))}
            </tr>
          ))}
        </tbody>
    </SavedTable>
  );
}

function HeatCell({ row, column, cell, shade, onChoose }: { row: GridRow; column: GridColumn; cell: CoverageCell | undefined; shade: Shade; onChoose(chosen: Chosen): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const fill = (pattern: string) => pattern.replace("{herb}", row[language]).replace("{drugs}", column[language]);
  if (!cell) return <td title={fill(texts.emptyCell)} />;
  const evidence = cell.evidence ? texts[`e_${cell.evidence}`] : texts.e_none;
  const label = fill(texts.cell).replace("{severity}", texts[`s_${cell.severity}`]).replace("{evidence}", evidence).replace("{n}", String(cell.statements.length)).replace("{open}", String(cell.open));
  const tone = shade === "severity" ? cell.severity : `evidence-${cell.evidence ?? "none"}`;
  return (
    <td>
      <button type="button" class={`heat-cell ${tone}${cell.whole === 0 ? " partly" : ""}${cell.open ? " doubtful" : ""}`} title={label} aria-label={label} onClick={() => onChoose({ herb: row, drugs: column, cell })}>
        {cell.statements.length}
      </button>
    </td>
  );
}

function Legend({ shade }: { shade: Shade }) {
  const texts = useTexts(REVIEW);
  const tones = shade === "severity" ? SEVERITIES.map((name) => [name, texts[`s_${name}`]] as const) : EVIDENCE.map((name) => [`evidence-${name}`, texts[`e_${name}`]] as const);
  return (
    <ul class="heat-legend" aria-label={texts.legend}>
      {tones.map(([tone, title]) => (
        <li key={tone}>
          <i class={`heat-cell ${tone}`} aria-hidden="true" /> {title}
        </li>
      ))}
      <li>
        <i class="heat-cell minor partly" aria-hidden="true" /> {texts.partly}
      </li>
      <li>
        <i class="heat-cell minor doubtful" aria-hidden="true" /> {texts.doubtful}
      </li>
      <li>
        <i class="heat-cell silent" aria-hidden="true" /> {texts.nothing}
      </li>
    </ul>
  );
}

function Totals({ grid, covered, columns }: { grid: CoverageGrid; covered: GridRow[]; columns: IndexedColumn[] }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const known = grid.rows.reduce((sum, row) => sum + columns.filter(({ index }) => row.cells[index]).length, 0);
  const count = (value: number) => formatCount(value, language);
  return (
    <p class="dim">
      {texts.coveredRows.replace("{n}", count(covered.length)).replace("{all}", count(grid.rows.length))} · {texts.cellCount.replace("{n}", count(known)).replace("{all}", count(grid.rows.length * columns.length))}
    </p>
  );
}

function CellStatements({ chosen, onClose }: { chosen: Chosen; onClose(): void }) {
  const texts = useTexts(REVIEW);
  const language = useLanguage();
  const { herb, drugs, cell } = chosen;
  const loaded = useLoaded((signal) => loadQueue({ state: "all", subject: herb.id, limit: "500" }, signal), [herb.id]);
  return (
    <Dialog title={`${herb[language]} ${texts.with} ${drugs[language]}`} onClose={onClose}>
      <LoadedView loaded={loaded}>{(list) => <StatementRows statements={list.statements.filter((statement) => cell.statements.includes(statement.id))} label={texts.list} />}</LoadedView>
    </Dialog>
  );
}
