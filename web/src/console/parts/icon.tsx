// Line icons on a 24 px grid, inlined so that none is fetched.
const PATHS = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  herbs: "M12 21v-9M12 14C6 14 4 10 4 5c5 0 8 3 8 9zM12 11c0-4 3-6 8-6 0 5-3 8-8 8",
  review: "M9 4h6v3H9zM15 5h3v15H6V5h3M9 13l2 2 4-4",
  memory: "M12 5a4 4 0 0 0-7 3 4 4 0 0 0 0 7 4 4 0 0 0 7 3zM12 5a4 4 0 0 1 7 3 4 4 0 0 1 0 7 4 4 0 0 1-7 3z",
  funds: "M4 20h16M5 15l4-5 4 3 6-8M15 5h4v4",
  tasks: "M4 7l2 2 3-4M4 17l2 2 3-4M12 7h8M12 17h8",
  suites: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.500 13v7M13 16.500h7",
  tools: "M14 6a4 4 0 0 1 5-1l-3 3 1 2 2 1 3-3a4 4 0 0 1-6 5l-8 8-3-3 8-8z",
  ledger: "M6 3h11a2 2 0 0 1 2 2v16H7a2 2 0 0 1-2-2V4a1 1 0 0 1 1-1zM5 18a2 2 0 0 1 2-1h12M9 8h6M9 12h6",
  jobs: "M12 3a9 9 0 1 0 9 9M12 7v5l3 3M17 3l4 4M21 3v4h-4",
  evaluation: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  papers: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  import: "M12 15V4M7 9l5-5 5 5M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4",
  operations: "M3 12h4l3-8 4 16 3-8h4",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  keys: "M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 12.5L4 20M7 17l3 3",
  download: "M12 4v11M7 10l5 5 5-5M4 20h16",
  star: "M12 4l2.5 5 5.5.8-4 3.9.9 5.5-4.9-2.6-4.9 2.6.9-5.5-4-3.9 5.500-.8z",
  print: "M7 9V3h10v6M7 18H4v-7h16v7h-3M7 14h10v7H7z",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12l5 5 9-11",
  copy: "M9 9h10v10H9zM5 15V5h10",
  play: "M8 5l11 7-11 7z",
  right: "M9 6l6 6-6 6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
