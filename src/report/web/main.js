const data = JSON.parse(document.getElementById("data").textContent);
document.getElementById("top").textContent = data.title;
