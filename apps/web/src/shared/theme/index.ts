export { chooseTheme, startTheme, themes, useTheme } from './theme.ts'
