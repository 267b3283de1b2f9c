// SPDX-License-Identifier: Apache-2.0

/// The words of the sample data: invented company names, and common given and family names.
enum WordLists {
    static let companyHeads = [
        "Alder", "Amber", "Arrow", "Beacon", "Birch", "Blue Harbor", "Bright Field", "Bronze", "Canyon", "Cedar",
        "Cobalt",
        "Copper", "Coral", "Crescent", "Crystal", "Delta", "Echo", "Elm", "Ember", "Falcon", "Fern", "Flint", "Garnet",
        "Glacier", "Golden Gate", "Granite", "Green Valley", "Harbor", "Hazel", "Heron", "Highland", "Horizon",
        "Indigo",
        "Iron Bridge", "Ivory", "Jade", "Juniper", "Kestrel", "Lantern", "Laurel", "Linden", "Lunar", "Maple",
        "Meridian",
        "Mistral", "Noble", "North Star", "Oak Hill", "Onyx", "Opal", "Orchid", "Pacific Rim", "Pearl", "Pine Ridge",
        "Pioneer", "Prairie", "Quartz", "Raven", "Redwood", "River Bend", "Rowan", "Saffron", "Sage", "Sapphire",
        "Silver Lake",
        "Solstice", "Spruce", "Stone Arch", "Summit", "Sunrise", "Tamarack", "Teal", "Terra", "Thistle", "Timber",
        "Topaz",
        "Tundra", "Umber", "Valley", "Velvet", "Vista", "Walnut", "West Wind", "Willow", "Winter", "Zephyr",
    ]
    static let bankTails = ["Bank", "Savings Bank", "Credit Union", "Trust", "Private Bank", "Mutual Bank"]
    static let companyTails = [
        "Analytics", "Apparel", "Biotech", "Chemicals", "Consulting", "Construction", "Controls", "Dynamics",
        "Electronics",
        "Energy", "Engineering", "Foods", "Freight", "Group", "Health", "Holdings", "Hotels", "Industries",
        "Instruments",
        "Labs", "Logistics", "Machines", "Manufacturing", "Media", "Mobility", "Networks", "Partners", "Pharma",
        "Power",
        "Retail", "Robotics", "Semiconductors", "Services", "Software", "Solutions", "Systems", "Textiles", "Tools",
    ]
    static let givenNames = [
        "Ada", "Alex", "Amir", "Ana", "Ben", "Carla", "Chen", "Clara", "Dana", "David", "Elena", "Emil", "Eva", "Farah",
        "Felix",
        "Grace", "Hana", "Hugo", "Ines", "Ivan", "Jana", "Jonas", "Julia", "Kofi", "Lars", "Laura", "Leila", "Liam",
        "Lucia",
        "Marco", "Maria", "Mei", "Mila", "Nadia", "Nina", "Noah", "Olga", "Omar", "Paula", "Pedro", "Priya", "Rosa",
        "Sam",
        "Sara", "Sven", "Tara", "Theo", "Uma", "Vera", "Yara", "Yuki", "Zoë",
    ]
    static let familyNames = [
        "Adler", "Baker", "Becker", "Bianchi", "Brown", "Carter", "Castro", "Chen", "Costa", "Davis", "Diaz", "Dubois",
        "Evans", "Fischer", "Fernández", "Garcia", "Gupta", "Hansen", "Hughes", "Ito", "Jensen", "Jones", "Kaya",
        "Khan", "Kim",
        "Kowalski", "Lee", "Lopez", "Martin", "Meyer", "Moreau", "Müller", "Nguyen", "Novak", "O'Brien", "Okafor",
        "Olsen",
        "Patel", "Petrov", "Reyes", "Rossi", "Sato", "Schmidt", "Silva", "Singh", "Smith", "Tanaka", "Taylor", "Turner",
        "Weber", "White", "Wilson", "Wong", "Young",
    ]
    static let titles = [
        "Chief Executive Officer", "Chief Financial Officer", "Chief Technology Officer", "VP Sales", "VP Operations",
        "Head of Procurement", "IT Manager", "Office Manager", "Purchasing Agent", "Product Manager", "Controller",
        "Analyst",
    ]
    static let departments = ["Executive", "Finance", "Technology", "Sales", "Operations", "Procurement", "Marketing"]
    /// The coordinates are in degrees north and east.
    static let places: [Place] = [
        ("12 Harbour Street", "Boston", "MA", "02110", "USA", 42.36, -71.06),
        ("400 Mission Street", "San Francisco", "CA", "94105", "USA", 37.79, -122.4),
        ("8 King William Street", "London", "", "EC4N 7BP", "United Kingdom", 51.51, -0.09),
        ("Lindenallee 5", "Berlin", "", "10115", "Germany", 52.53, 13.38),
        ("Bahnhofstrasse 21", "Zürich", "ZH", "8001", "Switzerland", 47.37, 8.54),
        ("14 Rue de la Paix", "Paris", "", "75002", "France", 48.87, 2.33),
        ("77 Queen Street West", "Toronto", "ON", "M5H 2M9", "Canada", 43.65, -79.38),
        ("2-1 Marunouchi", "Tokyo", "", "100-0005", "Japan", 35.68, 139.76),
        ("Avenida Paulista 900", "São Paulo", "SP", "01310-100", "Brazil", -23.56, -46.65),
        ("31 Collins Street", "Melbourne", "VIC", "3000", "Australia", -37.81, 144.97),
        ("250 Lake Street", "Chicago", "IL", "60606", "USA", 41.89, -87.63),
        ("18 Peachtree Road", "Atlanta", "GA", "30309", "USA", 33.79, -84.38),
    ]
    static let caseSubjects = [
        "Cannot sign in", "Invoice shows the wrong amount", "Delivery is late", "Unit does not start",
        "Request for training",
        "Report runs slowly", "Spare part needed", "Contract renewal question", "Noise during operation",
        "Update failed",
    ]
    static let taskSubjects = ["Call", "Send quote", "Follow up", "Prepare demo", "Review contract", "Send letter"]
    static let eventSubjects = ["Meeting", "Product demo", "Site visit", "Kick-off", "Quarterly review"]
    static let nextSteps = ["Send proposal", "Schedule demo", "Agree on terms", "Meet decision maker"]
    static let products: [(name: String, code: String, family: String, price: Double)] = [
        ("Compressor C100", "GC1060", "Hardware", 4_900),
        ("Compressor C300", "GC1080", "Hardware", 12_500),
        ("Control Panel", "CP2000", "Hardware", 1_850), ("Sensor Kit", "SK0100", "Hardware", 320),
        ("Edge Gateway", "EG0500", "Hardware", 790), ("Fleet Console", "SW1000", "Software", 15_000),
        ("Analytics Add-on", "SW2000", "Software", 6_400), ("Mobile App Seats", "SW3000", "Software", 45),
        ("Installation", "SV1000", "Service", 2_200), ("Premium Support", "SV2000", "Service", 9_600),
        ("Training Day", "SV3000", "Service", 1_400), ("Annual Maintenance", "SV4000", "Service", 3_150),
    ]
    static let campaigns = [
        ("Spring Trade Show", "Trade Show"), ("Partner Summit", "Partners"), ("Autumn Newsletter", "Email"),
        ("Energy Webinar", "Webinar"), ("User Conference", "Conference"), ("City Billboards", "Advertisement"),
    ]

    typealias Place = (
        street: String, city: String, state: String, postalCode: String, country: String, latitude: Double,
        longitude: Double
    )
}
