// Shows the parts of a score as a stacked bar with their sum. Negative parts are listed but not drawn.
import { useLanguage } from "../language";

export interface Part {
  name: string;
  title: string;
  value: number;
}

const COLOURS = 6;

export function StackedBar({ parts, total, most, label }: { parts: Part[]; total: number; most: number; label: string }) {
  const language = useLanguage();
  const figure = (value: number) => value.toLocaleString(language === "th" ? "th-TH" : "en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const sum = parts.map((part) => `${part.title} ${figure(part.value)}`).join(" + ");
  const full = Math.max(most, total, Number.EPSILON);
  return (
    <div class="stacked">
      <div class="stacked-bar" role="img" aria-label={`${label} ${figure(total)} = ${sum}`}>
        {parts.map((part, at) =>
          part.value > 0 ? (
            <i key={part.name} class={`kind${at % COLOURS}`} title={`${part.title} ${figure(part.value)}`} style={{ width: `${(part.value / full) * 100}%` }} />
          ) : null,
        )}
      </div>
      <b class="figure">{figure(total)}</b>
      <ul class="stacked-parts" aria-hidden="true">
        {parts.map((part, at) =>
          Math.abs(part.value) < 0.005 ? null : (
            <li key={part.name}>
              <i class={`kind${at % COLOURS}`} /> {part.title} {figure(part.value)}
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
