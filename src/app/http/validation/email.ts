import { isEmail } from 'class-validator';

const LONGEST = 320;

/** Whether a text is an e-mail address; white space around it does no harm. */
export const isEmailAddress = (text: string): boolean => text.length <= LONGEST && isEmail(text.trim());
