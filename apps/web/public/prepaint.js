// Runs before the first paint, so that nobody is shown the wrong theme for an instant. A file of its own because the
// security policy allows no inline script. The app takes over from here with the same two keys of local storage.
;(() => {
  let theme = null
  let language = null
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('lang')
  } catch {
    // A browser that forbids storage gets the system's theme and English.
  }
  const dark = theme === 'shaft' || (theme !== 'paper' && matchMedia('(prefers-color-scheme: dark)').matches)
  const page = document.documentElement
  page.dataset.theme = dark ? 'shaft' : 'paper'
  page.lang = language === 'zh_tw' ? 'zh-Hant' : language === 'zh_cn' ? 'zh-Hans' : 'en'
})()
