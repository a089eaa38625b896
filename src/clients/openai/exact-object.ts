/** Members by their names: an own member may have any name, `__proto__` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value where it is a JSON object with exactly these members, else `null`. */
export const exactObject = (value: unknown, fields: readonly string[]): JsonObject | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  const exact = names.length === fields.length && fields.every((field) => names.includes(field));
  return exact ? (value as JsonObject) : null;
};

/** As `exactObject`, of a text that a model answered; `null` for anything but that one JSON object. */
export const parsedObject = (content: string, fields: readonly string[]): JsonObject | null => {
  try {
    return exactObject(JSON.parse(content), fields);
  } catch {
    return null;
  }
};
