/**
 * The name of a cell's column, which a narrow window shows before the cell; `undefined`: the cell is empty, has only
 * buttons, or its column has no name.
 */
export const cellName = (
  content: unknown,
  { head, acts = false }: { readonly head: unknown; readonly acts?: boolean },
): string | undefined => {
  const isEmpty = content == null || typeof content === 'boolean' || content === '';
  return isEmpty || acts || typeof head !== 'string' ? undefined : head;
};
