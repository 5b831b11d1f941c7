import { refusalTexts } from '@lode/wire/texts/en'
import { common } from './en/common.ts'
import { errors } from './en/errors.ts'
import { protection } from './en/protection.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/**
 * The texts of the app in one language: one file a feature in the language's folder, combined in two parts. This part
 * has the texts of signing in, which every visitor loads. `member/` has the texts of the pages behind the sign-in,
 * which load with the first of these pages.
 *
 * The texts are here and not beside their features, because features import shared and never the reverse. A translator
 * finds a whole language in one folder, and two features never edit the same file. The texts of refusals come from the
 * wire package, which the server uses too.
 *
 * English is the original. A new text goes into the same file of all three languages; the compiler reports a missing
 * one.
 */
export const texts = {
  common,
  errors,
  protection,
  shell,
  signIn,
  refusals: refusalTexts,
} as const
