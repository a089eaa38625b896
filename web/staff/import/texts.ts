import { importTexts as german } from '../../../src/languages/de/console-import.js';
import { importTexts as english, type ImportTexts } from '../../../src/languages/en/console-import.js';
import type { Language } from '../../../src/languages/languages.js';
import { usePlace } from '../console.js';

// Not in the record of all texts of the console: that is loaded with its first page.
const TEXTS: Readonly<Record<Language, ImportTexts>> = { en: english, de: german };

/** The texts of the pages about imports, which are loaded with them. */
export const useTexts = (): ImportTexts => TEXTS[usePlace().language];
