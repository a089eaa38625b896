import { sizeOf } from '../../shared/sizes.js';
import type { HandIns } from './hand-ins.js';
import { type Change, type Folder, folderOf } from './tree.js';

interface ShownFile {
  readonly path: string;
  readonly bytes: number;
  readonly change?: Change;
}

interface TreeProps {
  readonly handIns: HandIns;
  readonly label: string;
  readonly files: readonly ShownFile[];
}

/** Files in their folders, each with its size and, if it has one, its change. */
export const TreeView = ({ handIns, label, files }: TreeProps) => (
  <FolderView handIns={handIns} label={label} folder={folderOf(files)} />
);

const FolderView = ({
  handIns,
  label,
  folder,
}: {
  readonly handIns: HandIns;
  readonly label?: string;
  readonly folder: Folder<ShownFile>;
}) => {
  const t = handIns.t.value;
  const language = handIns.app.language.value;
  return (
    <ul class="tree" aria-label={label}>
      {folder.folders.map((inner) => (
        <li key={`${inner.name}/`}>
          <span class="folder">{inner.name}/</span>
          <FolderView handIns={handIns} folder={inner} />
        </li>
      ))}
      {folder.files.map(({ name, file: { bytes, change } }) => (
        <li key={name} class={change}>
          <span class="entry">
            <span>{name}</span> <span class="soft small">{sizeOf(t, language, bytes)}</span>
            {change && change !== 'same' && <span class={`badge ${change}`}>{t.review.change[change]}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
};
