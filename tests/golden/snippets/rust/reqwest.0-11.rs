fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = reqwest::Certificate::from_pem(&std::fs::read("/home/ada/Ada's files/weir-ca.pem")?)?;
    let client = reqwest::blocking::Client::builder()
        .proxy(reqwest::Proxy::all("http://127.0.0.1:8686")?)
        .add_root_certificate(root)
        .build()?;
    println!("{}", client.get("https://example.com/anything?a=1&b=2").send()?.status());
    Ok(())
}
