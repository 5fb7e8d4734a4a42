import{a as t,n as r,o as e,p as o,u as m,w as f}from"./chunk-ES6SPKHM.js";function i(){let d=r(e);return o(t,{children:[o(f,{title:d.tools}),o(m,{})]})}export{i as default};
