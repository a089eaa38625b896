import { useId, useState } from 'preact/hooks';

/** Takes a file by the browser's dialog, or dropped. */
export const FileField = ({
  label,
  hint,
  accept,
  choose,
  wrong,
  status,
}: {
  readonly label: string;
  readonly hint: string;
  /** As of an `input`. */
  readonly accept: string;
  readonly choose: (file: File | undefined) => void;
  readonly wrong: string | null;
  /** What is being done with the file, or the result. */
  readonly status: string | false;
}) => {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer?.files[0]);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0]);
          // So that the same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
      />
      <p
        class={wrong === null ? 'hint' : 'hint bad'}
        id={`${id}-hint`}
        role={wrong === null ? 'none' : 'alert'}
      >
        {wrong ?? hint}
      </p>
      <p role="status">{status}</p>
    </div>
  );
};
