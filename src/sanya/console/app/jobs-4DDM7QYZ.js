import{A as e,B as o,T as m,W as f,b as r,z as t}from"./chunk-JN3WG3ZJ.js";function i(){let d=t(e);return o(r,{children:[o(f,{title:d.jobs}),o(m,{})]})}export{i as default};
