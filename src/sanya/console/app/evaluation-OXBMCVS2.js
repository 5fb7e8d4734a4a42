import{A as e,B as o,T as m,W as a,b as t,z as r}from"./chunk-JN3WG3ZJ.js";function i(){let f=r(e);return o(t,{children:[o(a,{title:f.evaluation}),o(m,{})]})}export{i as default};
