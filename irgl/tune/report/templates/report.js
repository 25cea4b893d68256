// Pressing values of the axes shows the plans that have them: any of an axis' pressed values, on every such axis.
(() => {
  const buttons = [...document.querySelectorAll('.space [role=button]')];
  const lines = [...document.querySelectorAll('.space .lines path')];
  const out = document.getElementById('chosen'), all = document.getElementById('all');
  const values = lines.map(l => l.dataset.v.split(' ')), speeds = lines.map(l => +l.dataset.s);
  const show = () => {
    const wanted = new Map();
    for (const b of buttons) if (b.getAttribute('aria-pressed') === 'true')
      wanted.set(b.dataset.a, [...(wanted.get(b.dataset.a) || []), b.dataset.k]);
    let count = 0, top = 0;
    lines.forEach((l, i) => {
      const on = [...wanted].every(([axis, some]) => some.includes(values[i][axis]));
      l.classList.toggle('out', !on);
      if (on) { count += 1; top = Math.max(top, speeds[i]); }
    });
    out.textContent = (wanted.size ? count + ' of ' + lines.length : lines.length) + ' plans'
      + (count ? ', up to ' + top.toFixed(2) + '×' : '');
    all.hidden = wanted.size === 0;
  };
  const press = b => { b.setAttribute('aria-pressed', b.getAttribute('aria-pressed') !== 'true'); show(); };
  for (const b of buttons) {
    b.addEventListener('click', () => press(b));
    b.addEventListener('keydown', e => {
      if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); press(b); }
    });
  }
  all.addEventListener('click', () => {
    for (const b of buttons) b.setAttribute('aria-pressed', 'false');
    show();
    buttons[0].focus();
  });
})();
