// Runs before the app, in ES5, so that every browser can run it. docs/browsers.md says more.
;(function () {
  var html = document.documentElement

  // Sets the theme before the first paint, so that nobody sees the wrong one for an instant.
  var theme = null
  var language = null
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('lang')
  } catch (_forbidden) {
    // Without storage: the system's theme, and English.
  }
  var dark = theme === 'shaft' || (theme !== 'paper' && matchMedia('(prefers-color-scheme: dark)').matches)
  html.setAttribute('data-theme', dark ? 'shaft' : 'paper')
  html.lang = language === 'zh_tw' ? 'zh-Hant' : language === 'zh_cn' ? 'zh-Hans' : 'en'

  // Shows the start-failure page of index.html. Once the app has drawn something, the app itself shows failures.
  function showStartFailure() {
    if (document.readyState === 'loading') {
      document.addEventListener('DOMContentLoaded', showStartFailure)
      return
    }
    var root = document.getElementById('root')
    if (root.firstChild) return
    root.appendChild(document.getElementById('start-failure').content.cloneNode(true))
    var words = root.querySelector('[role=alert]')
    words.insertBefore(words.querySelector('[lang=' + html.lang + ']'), words.firstChild)
    root.querySelector('code').textContent = location.href
    root.querySelector('button').onclick = function () {
      location.reload()
    }
  }

  window.showStartFailure = showStartFailure
  if (!('noModule' in document.createElement('script'))) showStartFailure()
  // Only errors of the app's own files count: wallets run their own scripts in the page.
  window.addEventListener(
    'error',
    function (event) {
      var file = event.filename || event.target.src || ''
      if (file.indexOf(location.origin + '/assets/') === 0) showStartFailure()
    },
    true
  )
})()
