/** A sentence by rule; a parameter is a figure of the service’s own sentence. */
type RuleTexts = Readonly<Partial<Record<string, string | ((...figures: string[]) => string)>>>;

/** Texts of the console's pages about imports of candidates, which are loaded with them. */
export const importTexts = {
  title: 'Import candidates',
  text: 'Fill in a table with a row for each candidate, save it as CSV, and choose the file here. The first row names the columns: candidateEmail and, if you have them, candidateName, externalId, language and expiresAt. Nobody is invited before you have seen the rows and confirmed them.',
  template: 'Download the template',
  file: 'CSV file',
  drop: 'Choose a file or drop it here. At most 500 rows.',
  noRole: 'No role can be invited to yet: complete a role first.',
  tooLarge: 'The file is too large: at most 256 KB.',
  notText: 'The file is not a CSV in UTF-8. Save it as “CSV UTF-8” and choose it again.',
  checking: 'Checking …',
  faults: (count: number) => (count === 1 ? 'One fault in the file' : `${count} faults in the file`),
  faultsText: 'Nobody was invited. Correct the file and choose it again.',
  ready: (count: number) => (count === 1 ? 'One row, and it is right' : `${count} rows, and all are right`),
  row: 'Row',
  column: 'Column',
  fault: 'What is wrong',
  wholeFile: 'File',
  email: 'E-mail address',
  name: 'Name',
  language: 'Language',
  expiresAt: 'Expires on',
  inTwoWeeks: 'in 14 days',
  languages: { en: 'English', de: 'German' },
  shown: (shown: number, all: number) => `The first ${shown} of ${all} rows are shown.`,
  confirm: (count: number, role: string) =>
    count === 1
      ? `One person will be invited to “${role}” and gets a mail.`
      : `${count} people will be invited to “${role}”. Each gets a mail.`,
  begin: (count: number) => (count === 1 ? 'Invite one person' : `Invite ${count} people`),
  other: 'Choose another file',
  /** By the rule that a field of a person’s row breaks, with the figures of the service’s sentence. */
  rules: {
    required: 'This is missing.',
    notBlank: 'This must not be empty.',
    email: 'This is not an e-mail address.',
    unique: 'A row above has this address already.',
    future: 'This time has passed.',
    timestamp: 'This is not a time such as 2027-03-01T18:00:00Z.',
    instant: 'This is not a time such as 2027-03-01T18:00:00Z.',
    oneOf: 'Write en or de.',
    maxLength: (most: string) => `This is too long: at most ${most} characters.`,
    inMails: 'A name that stands in mails must not hold a link or an e-mail address.',
    header: 'The first row names no column for this field.',
    encoding: 'Letters were lost. Save the file as “CSV UTF-8” and choose it again.',
  } as RuleTexts,
  /** By the rule that the name of a column breaks. */
  headerRules: {
    unique: 'Another column has this name already.',
    header:
      'There is no such column. The columns are candidateEmail, candidateName, externalId, language and expiresAt.',
  } as RuleTexts,
  /** By the rule that the whole file breaks. */
  fileRules: {
    notBlank: 'The file is empty.',
    csv: (line: string) =>
      `Line ${line} cannot be read: a quotation mark in it is missing or should be doubled.`,
    header: 'The first row must name the columns, candidateEmail among them.',
    rows: 'The file needs a row with the names of the columns, and 1 to 500 rows below it.',
    more: (count: string) => `Faults that are not shown: ${count}.`,
  } as RuleTexts,
  former: 'Imports',
  whatFormer: 'the imports',
  role: 'Role',
  when: 'When',
  progress: 'Invited',
  of: (invited: number, all: number) => `${invited} of ${all}`,
  one: 'Import',
  whatOne: 'the import',
  running: 'It goes on by itself: you can leave this page.',
  finished: 'Finished.',
  invited: (invited: number, all: number) => `${invited} of ${all} invited`,
  refused: (count: number) => (count === 1 ? 'One row was not invited' : `${count} rows were not invited`),
  why: 'Why not',
  toCandidates: 'Open the candidates of this role',
  lost: 'No answer for a moment. This page tries again.',
};

export type ImportTexts = typeof importTexts;
