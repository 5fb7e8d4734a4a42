// A rating in NATO's scheme: the letter rates the source, the digit the content.
import { useTexts } from "../../language";
import { MEMORY, type MemoryTexts } from "./texts";

export function toneOf(rating: string | null): "good" | "note" | "bad" | "plain" {
  const letter = rating?.[0] ?? "F";
  const digit = Number(rating?.[1] ?? 6);
  if (letter === "F" && digit === 6) return "plain";
  if (digit >= 5 || letter === "E") return "bad";
  return digit <= 2 && letter <= "B" ? "good" : digit <= 3 && letter <= "C" ? "good" : "note";
}

export function Rating({ value, long }: { value: string | null; long?: boolean }) {
  const texts = useTexts(MEMORY);
  if (!value || !/^[A-F][1-6]$/.test(value)) return null;
  const source = texts[value[0] as "A"];
  const content = texts[`d${value[1]}` as keyof MemoryTexts];
  const explanation = `${texts.source}: ${source} · ${texts.content}: ${content}`;
  return (
    <span class={`rating ${toneOf(value)}`} title={explanation}>
      <b>{value}</b>
      {long ? <span>{explanation}</span> : <span class="aside">{explanation}</span>}
    </span>
  );
}
