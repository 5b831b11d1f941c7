import { refusalTexts } from '@lode/wire/texts/en'
import { common } from './en/common.ts'
import { deposit } from './en/deposit.ts'
import { errors } from './en/errors.ts'
import { home } from './en/home.ts'
import { payment } from './en/payment.ts'
import { profile } from './en/profile.ts'
import { protection } from './en/protection.ts'
import { setting } from './en/setting.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { team } from './en/team.ts'
import { transfer } from './en/transfer.ts'
import { wallet } from './en/wallet.ts'

/**
 * Every text of the app in one language, and so one chunk a language: a file per feature under the language's folder, put
 * together here. They stand here and not beside their features because imports run from features to shared and never back;
 * a translator finds a whole language in one folder, and two features never edit the same file. The words for refusals come
 * from the wire, where the server finds them too.
 *
 * English is the original. A new text goes into the same file of all three languages; the compiler asks for the others.
 */
export const texts = {
  common,
  deposit,
  errors,
  home,
  payment,
  profile,
  protection,
  setting,
  shell,
  signIn,
  transfer,
  team,
  wallet,
  refusals: refusalTexts,
} as const
