cask "weir" do
  arch arm: "arm64", intel: "x64"

  version "{{version}}"
  sha256 arm:   "{{sha256 mac-arm64.tar.xz}}",
         intel: "{{sha256 mac-x64.tar.xz}}"

  url "{{url}}/weir-#{version}-mac-#{arch}.tar.xz"
  name "Weir"
  desc "Local proxy that answers: why is my traffic slow?"
  homepage "{{home}}"

  depends_on macos: ">= :ventura"

  app "Weir.app"
  binary "#{appdir}/Weir.app/Contents/MacOS/weir"

  zap trash: [
    "~/Library/Application Support/dev.weir.app",
    "~/Library/Application Support/weir",
  ]
end
