// A passage with the words that were asked for marked. It is only ever text: nothing in it is read as markup.

const SHORTEST = 2;

/** The words of a query; Thai ones are parted by the browser's own dictionary. */
export function wordsOf(query: string, language: "en" | "th" = "th"): string[] {
  const parts = new Intl.Segmenter(language, { granularity: "word" }).segment(query.toLowerCase());
  const found = [...parts].filter((part) => part.isWordLike).map((part) => part.segment);
  return [...new Set(found)].filter((word) => word.length >= SHORTEST).sort((one, other) => other.length - one.length);
}

interface Piece {
  text: string;
  marked: boolean;
}

export function piecesOf(text: string, words: string[]): Piece[] {
  const lower = text.toLowerCase();
  // Where lower case is longer than the text, places in the one are no places in the other.
  if (words.length === 0 || lower.length !== text.length) return [{ text, marked: false }];
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const word = words.find((one) => lower.startsWith(one, at) && startsWord(lower, at, one));
    if (!word) {
      at += 1;
      continue;
    }
    if (at > from) pieces.push({ text: text.slice(from, at), marked: false });
    pieces.push({ text: text.slice(at, at + word.length), marked: true });
    at += word.length;
    from = at;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

/** Latin words are marked at their start only: "art" is not found in "heart". */
function startsWord(text: string, at: number, word: string): boolean {
  return !/^[a-z0-9]/.test(word) || at === 0 || !/[a-z0-9]/.test(text[at - 1] as string);
}

export function Highlight({ text, words }: { text: string; words: string[] }) {
  return (
    <>
      {piecesOf(text, words).map((piece, at) => (piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text))}
    </>
  );
}

/** The sentences of a long text that have most of the words, in their order. */
export function bestSentences(text: string, words: string[], most: number): string {
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map((one) => one.segment);
  if (sentences.length <= most) return text;
  const scored = sentences.map((sentence, at) => ({ at, hits: words.filter((word) => sentence.toLowerCase().includes(word)).length }));
  const kept = scored.sort((one, other) => other.hits - one.hits || one.at - other.at).slice(0, most);
  const places = kept.map((one) => one.at).sort((one, other) => one - other);
  return places.map((at, step) => (step > 0 && at !== (places[step - 1] as number) + 1 ? "… " : "") + sentences[at]).join("");
}
