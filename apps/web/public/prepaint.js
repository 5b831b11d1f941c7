// Explained in docs/browsers.md. This file is served as it is, so it has few comments.
;(function () {
  var html = document.documentElement

  var theme = null
  var language = null
  try {
    theme = localStorage.getItem('theme')
    language = localStorage.getItem('lang')
  } catch (_forbidden) {
    // No storage.
  }
  var dark = theme === 'shaft' || (theme !== 'paper' && matchMedia('(prefers-color-scheme: dark)').matches)
  html.setAttribute('data-theme', dark ? 'shaft' : 'paper')
  var wanted = [language, (/[?&]lang=([a-z_]+)/.exec(location.search) || [])[1]].concat(navigator.languages)
  html.lang = wanted.map(htmlLang).filter(Boolean)[0] || 'en'

  function htmlLang(tag) {
    var name = String(tag).toLowerCase()
    if (name.indexOf('zh') === 0) return /hant|^zh[-_](tw|hk|mo)/.test(name) ? 'zh-Hant' : 'zh-Hans'
    return name.indexOf('en') === 0 && 'en'
  }

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
  window.addEventListener(
    'error',
    function (event) {
      var file = event.filename || event.target.src || ''
      if (file.indexOf(location.origin + '/assets/') === 0) showStartFailure()
    },
    true
  )
})()
