import { refusalTexts } from '@lode/wire/texts/en'
import { common } from './en/common.ts'
import { errors } from './en/errors.ts'
import { explain } from './en/explain.ts'
import { home } from './en/home.ts'
import { navigation } from './en/navigation.ts'
import { notice } from './en/notice.ts'
import { pledge } from './en/pledge.ts'
import { profile } from './en/profile.ts'
import { protection } from './en/protection.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { titles } from './en/titles.ts'
import { wallet } from './en/wallet.ts'

/**
 * The texts of the app in one language: one file a feature in the language's folder, combined in two parts. This part
 * has the texts of signing in and of Home, which nearly every visitor loads, in one file. `member/` has the texts of
 * the other pages behind the sign-in.
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
  explain,
  home,
  navigation,
  notice,
  pledge,
  profile,
  protection,
  shell: { ...shell, titles: { ...shell.titles, ...titles } },
  signIn,
  refusals: refusalTexts,
  wallet,
} as const
