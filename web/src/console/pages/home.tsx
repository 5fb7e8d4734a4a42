import { useWords } from "../language";
import { Empty, PageHead } from "../parts";
import { SHELL } from "../words";

export default function Page() {
  const words = useWords(SHELL);
  return (
    <>
      <PageHead title={words.home} />
      <Empty />
    </>
  );
}
