import { refusalTexts } from '@lode/wire/texts/en'
import { common } from './en/common.ts'
import { errors } from './en/errors.ts'
import { protection } from './en/protection.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/**
 * The texts of the app in one language: a file per feature under the language's folder, put together in two parts. Here is what
 * signing in may say, which everybody waits for; `member/` has what the pages behind it say, which come with the first of them.
 *
 * They stand here and not beside their features because imports run from features to shared and never back; a translator finds a
 * whole language in one folder, and two features never edit the same file. The words for refusals come from the wire, where the
 * server finds them too.
 *
 * English is the original. A new text goes into the same file of all three languages; the compiler asks for the others.
 */
export const texts = {
  common,
  errors,
  protection,
  shell,
  signIn,
  refusals: refusalTexts,
} as const
